import { expect, test } from 'vitest';
import type { Analytics } from '#main/services/analytics.ts';
import { Reporting } from '#main/services/reporting.ts';
import { reportingQuery } from '#shared/analytics/reporting.ts';
import type { Check } from '#shared/checks/check.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

/** Reports on three checks, and which of them were asked for. */
async function threeChecks() {
  const configuration = new MemoryConfiguration();
  for (const type of ['API', 'URL', 'TCP'] as const) {
    await configuration.checks.put(makeCheck(type) as Check);
  }
  const asked: string[] = [];
  const rows = async ({ checkType }: Check) => {
    asked.push(checkType);
    return [{ availability: 100, total: 1, success: 1 }];
  };
  const analytics = { rows } as unknown as Analytics;
  const reporting = new Reporting({ configuration, clock: new SimulatedClock(0), analytics });
  const read = (isGone = () => false) => reporting.read(reportingQuery.parse({}), isGone);
  return { asked, read };
}

test('a check is asked for when its row is wanted', async () => {
  const { asked, read } = await threeChecks();
  for await (const { checkType } of read()) expect(asked.at(-1)).toBe(checkType);
  expect(asked).toEqual(['API', 'URL', 'TCP']);
});

test('nothing more is asked for a client that is gone, and the next report begins', async () => {
  const { asked, read } = await threeChecks();
  let isGone = false;
  const first = read(() => isGone)[Symbol.asyncIterator]();
  await first.next();
  const second = read()[Symbol.asyncIterator]();
  const next = second.next();
  isGone = true;
  await expect(first.next()).rejects.toMatchObject({ code: 'TIMED_OUT' });
  await next;
  expect(asked).toEqual(['API', 'API']);
});

test('a report that is broken off leaves its turn to the next', async () => {
  const { asked, read } = await threeChecks();
  for await (const _row of read()) break;
  for await (const _row of read()) break;
  expect(asked).toEqual(['API', 'API']);
});
