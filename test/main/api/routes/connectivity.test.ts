import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Harness, NOW, startApi } from '../../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const AT = new Date(NOW).toISOString();

test('GET /app/connectivity tells whether the monitor sees, and when each probe last answered', async () => {
  api.connectivity.seen = {
    state: 'blind',
    reasons: ['NETWORK', 'BUSY'],
    since: NOW,
    probes: [
      { name: '192.0.2.1', kind: 'gateway', lastAnswerAt: NOW },
      { name: 'anchor.test:443', kind: 'anchor', lastAnswerAt: null },
    ],
  };
  expect(await api.call('GET', '/app/connectivity')).toMatchObject({
    status: 200,
    body: {
      state: 'blind',
      reasons: ['NETWORK', 'BUSY'],
      since: AT,
      canaries: [
        { name: '192.0.2.1', kind: 'gateway', lastAnswerAt: AT },
        { name: 'anchor.test:443', kind: 'anchor', lastAnswerAt: null },
      ],
    },
  });
});

test('it needs a key', async () => {
  expect((await api.call('GET', '/app/connectivity', { key: null })).status).toBe(401);
});

test('/metrics has a gauge for each reason and each canary', async () => {
  const { body } = await api.call('GET', '/metrics');
  expect((body as string).split('\n')).toEqual(
    expect.arrayContaining([
      'watchpost_blind{reason="NETWORK"} 1',
      'watchpost_blind{reason="STORE"} 0',
      `watchpost_canary_last_answer_seconds{kind="gateway",name="192.0.2.1"} ${NOW / 1_000}`,
      'watchpost_canary_last_answer_seconds{kind="anchor",name="anchor.test:443"} 0',
    ]),
  );
});

test('the path of the version before answers the same, and the log names the new one once', async () => {
  const warn = vi.fn();
  const old = await startApi({ log: { warn, error: vi.fn() } });
  try {
    const now = await old.call('GET', '/app/connectivity');
    expect(warn).not.toHaveBeenCalled();
    for (let call = 0; call < 2; call++) {
      expect((await old.call('GET', '/app/sight')).body).toEqual(now.body);
    }
    const said =
      '/app/sight is now /app/connectivity; the next version will not answer the old path.';
    expect(warn.mock.calls).toEqual([[said]]);
    expect((await old.call('GET', '/app/sight', { key: null })).status).toBe(401);
  } finally {
    await old.close();
  }
});
