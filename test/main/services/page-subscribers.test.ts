import { expect, test } from 'vitest';
import { PageSubscribers } from '#main/services/page-subscribers.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { makeStatusPage } from '../../fixtures/status-pages.ts';

const DAY = 86_400_000;

test('a page mails a thousand addresses a day, wherever they come from', async () => {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const nothing = async () => Promise.reject(new Error('Nobody asks.'));
  const subscribers = new PageSubscribers({
    clock,
    sendPorts: { smtp: {} },
    subscriptions: {
      subscribe: async (_, address) => void asked.push(address),
      pageOf: nothing,
      confirm: nothing,
      end: nothing,
    },
  });
  const page = makeStatusPage();
  const ask = (n: number) => subscribers.subscribe(page, `reader-${n}@x.test`, `sender ${n}`);
  for (let n = 0; n < 1_000; n += 1) await ask(n);
  await expect(ask(1_000)).rejects.toMatchObject({ code: 'TOO_MANY', retryAfterMs: DAY });
  expect(asked).toHaveLength(1_000);
  await clock.advance(DAY);
  await ask(1_000);
  expect(asked).toHaveLength(1_001);
});
