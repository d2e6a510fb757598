import { describe, expect, test } from 'vitest';
import { specConfig } from '#shared/playwright/spec-config.ts';

const used = (use: object, wasFailing = false) => specConfig({ use }, wasFailing).use;

describe('the configuration of a run', () => {
  test.each([undefined, null, {}, 'text', [], { timeout: 'long', use: 1, expect: [] }])(
    'is as Playwright has it for %j',
    (wanted) => {
      expect(specConfig(wanted, false)).toMatchObject({
        timeoutMs: 30_000,
        expectTimeoutMs: 5_000,
      });
    },
  );

  test('takes times, and options of the page; not what is the runner’s own', () => {
    const wanted = {
      ...{ timeout: 1_000, expect: { timeout: 10 }, retries: 3, reporter: 'html' },
      use: { baseURL: 'http://h', locale: 'de', connectOptions: { wsEndpoint: 'ws://h' } },
    };
    const config = specConfig(wanted, false);
    expect(config).toMatchObject({ timeoutMs: 1_000, expectTimeoutMs: 10 });
    expect(Object.keys(config.use)).toEqual(['baseURL', 'locale', 'screenshot', 'trace', 'video']);
  });

  const cheap = { screenshots: false, snapshots: true, sources: true, mode: 'retain-on-failure' };
  const whole = { screenshots: true, snapshots: true, sources: true };
  test.each([
    [undefined, false, cheap],
    ['retain-on-failure', false, { ...whole, mode: 'retain-on-failure' }],
    ['on-first-retry', false, cheap],
    ['off', false, 'off'],
    ['off', true, 'off'],
    ['on', false, { ...whole, mode: 'on' }],
    [{ mode: 'on', screenshots: false }, false, { mode: 'on', screenshots: false }],
    [undefined, true, { ...whole, mode: 'on' }],
    ['on-first-retry', true, { ...whole, mode: 'on' }],
  ])('traces %j, after a failure %s', (trace, wasFailing, expected) => {
    expect(used({ trace }, wasFailing).trace).toEqual(expected);
  });

  test.each([
    [undefined, 'only-on-failure', 'off'],
    ['off', 'off', 'off'],
    ['on', 'on', 'on'],
    ['on-first-retry', 'only-on-failure', 'retain-on-failure'],
    [{ mode: 'on' }, { mode: 'on' }, { mode: 'on' }],
  ])('%j is a policy of screenshots and of videos', (mode, screenshot, video) => {
    expect(used({ screenshot: mode, video: mode })).toMatchObject({ screenshot, video });
  });
});
