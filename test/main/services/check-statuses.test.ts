import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CheckStatuses } from '#main/services/check-statuses.ts';
import type { Check } from '#shared/checks/check.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { FakeMonitor, keptStatus } from '../../fixtures/fake-monitor.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const CHECKS = 600;

/** Statuses of checks that all have a result, and how many rows were made: each takes the name of its check once. */
async function statusesOf() {
  const { checks, ...configuration } = new MemoryConfiguration();
  const monitor = new FakeMonitor();
  const clock = new SimulatedClock();
  let rowsMade = 0;
  const put = (check: Check, name: string) => {
    const get = () => {
      rowsMade++;
      return name;
    };
    return checks.put(Object.defineProperty({ ...check }, 'name', { get }));
  };
  const record = makeCheck('URL');
  for (let n = 0; n < CHECKS; n++) {
    const check = { ...record, id: randomUUID() };
    await put(check, `Nº ${n}, "quoted"`);
    monitor.statuses.set(check.id, keptStatus({ longestRun: n, lastRun: n }));
  }
  const find = (id: string) => checks.get(id) as Check;
  const parts = { configuration: { checks, ...configuration }, monitor, clock, checks: { find } };
  const statuses = new CheckStatuses(parts as never);
  const all = () => checks.all();
  return {
    ...{ statuses, monitor, clock, checks, all, put },
    at: (n: number) => all().at(n) as Check,
    list: () => Buffer.concat([...statuses.pieces()]).toString(),
    singles: () => {
      const known = all().filter(({ id }) => monitor.statuses.has(id));
      return JSON.stringify(known.map(({ id }) => statuses.find(id)));
    },
    rowsMade: () => rowsMade,
    rowsMadeBy(work: () => void) {
      const before = rowsMade;
      work();
      return rowsMade - before;
    },
  };
}

test('the list is, byte for byte, the statuses that are read one by one, whatever changed since it was read last', async () => {
  const { statuses, monitor, checks, all, at, put, list, singles } = await statusesOf();
  const forget = (from: number, to: number) => {
    for (const { id } of all().slice(from, to)) monitor.statuses.delete(id);
  };
  const add = (check: Check) => {
    monitor.statuses.set(check.id, keptStatus());
    return put(check, 'added');
  };
  const changes = [
    () => {},
    () =>
      void monitor.statuses.set(at(300).id, keptStatus({ hasFailures: true, updated_at: null })),
    () => put(at(0), 'ünïcode \u{1F600}\u2028 \\'),
    () => void checks.delete(at(40).id),
    () => void checks.delete(at(-1).id),
    () => forget(0, 1),
    () => forget(16, 40),
    () => forget(0, 300),
    () => void monitor.statuses.set(at(17).id, keptStatus()),
    () => put(makeCheck('URL'), 'without a result'),
    ...Array.from({ length: 20 }, () => () => add(makeCheck('URL'))),
    () => forget(0, 2 * CHECKS),
  ];
  for (const change of changes) {
    await change();
    expect(list()).toBe(singles());
  }
  expect(list()).toBe('[]');
  expect(() => statuses.find(at(0).id)).toThrow('This check has no result yet');
});

test('a change makes sixteen rows anew, and a list without one makes none', async () => {
  const { monitor, at, list, rowsMadeBy } = await statusesOf();
  expect(rowsMadeBy(list)).toBe(CHECKS);
  expect(rowsMadeBy(list)).toBe(0);
  monitor.statuses.set(at(300).id, keptStatus());
  expect(rowsMadeBy(list)).toBe(16);
});

test('what is still being sent stays as it was', async () => {
  const { monitor, at, list, statuses } = await statusesOf();
  const before = list();
  const sent = statuses.pieces();
  const pieces = [sent.next().value as Buffer];
  monitor.statuses.set(at(3).id, keptStatus({ hasErrors: true }));
  expect(list()).not.toBe(before);
  expect(Buffer.concat([...pieces, ...sent]).toString()).toBe(before);
});

test('soon after a start all rows are there before anybody asks, unless it stops first', async () => {
  const { clock, statuses, list, rowsMade, rowsMadeBy } = await statusesOf();
  statuses.start()();
  await clock.advance(60_000);
  expect(rowsMade()).toBe(0);
  const stop = statuses.start();
  await clock.advance(60_000);
  await expect.poll(rowsMade).toBe(CHECKS);
  expect(rowsMadeBy(list)).toBe(0);
  stop();
});
