import { describe, expect, test } from 'vitest';
import { endProcess } from '#shared/playwright/next-tests.ts';
import { newTest, type TestRecord } from '#shared/playwright/test-record.ts';

type Given = Partial<TestRecord> & { id: string };
const tests = (...given: Given[]): TestRecord[] =>
  given.map((one) => ({ ...newTest({ id: one.id, path: [one.id], group: 'g' }), ...one }));
const done = (skipped: string[] = [], ...messages: string[]) => ({
  type: 'done' as const,
  errors: messages.map((message) => ({ message })),
  skipped,
});
const shown = (all: TestRecord[]) =>
  all.map(({ id, status, errors }) =>
    [id, status, ...errors.map(({ message }) => message)].join(' '),
  );
const passed = { status: 'passed' } as const;
const failed = { status: 'failed' } as const;

describe('after a process of a script', () => {
  test('with a test that failed, the others run in the next one', () => {
    const all = tests({ id: 'a', ...passed }, { id: 'b', ...failed }, { id: 'c' }, { id: 'd' });
    const end = { only: null, done: done(), trouble: '' };
    expect(endProcess(all, end)).toEqual({ next: ['c', 'd'], errors: [] });
  });

  test('those of another group of fixtures wait for a process of their own', () => {
    const all = tests({ id: 'a', ...passed }, { id: 'b', group: 'h' }, { id: 'c', group: 'i' });
    expect(endProcess(all, { only: null, done: done(), trouble: '' }).next).toEqual(['b']);
  });

  test('the rest of a serial group with a failure is skipped', () => {
    const all = tests(
      { id: 'a', serial: 's', ...failed },
      { id: 'b', serial: 's' },
      { id: 'c', serial: 't' },
    );
    expect(endProcess(all, { only: null, done: done(), trouble: '' }).next).toEqual(['c']);
    expect(shown(all)).toEqual(['a failed', 'b skipped', 'c ']);
  });

  test('those are skipped that a failed preparation keeps from running', () => {
    const all = tests({ id: 'a', ...failed }, { id: 'b' }, { id: 'c' });
    expect(endProcess(all, { only: null, done: done(['b']), trouble: '' }).next).toEqual(['c']);
    expect(shown(all)).toEqual(['a failed', 'b skipped', 'c ']);
  });

  test('an error that belongs to no test fails the first that was left, and the rest is skipped', () => {
    const all = tests({ id: 'a', ...passed }, { id: 'b' }, { id: 'c' });
    const end = { only: null, done: done([], 'wrong'), trouble: '' };
    expect(endProcess(all, end)).toEqual({ next: [], errors: [] });
    expect(shown(all)).toEqual(['a passed', 'b failed wrong', 'c skipped']);
  });

  test('such an error after the last test is one of the run', () => {
    const all = tests({ id: 'a', ...passed });
    const end = { only: null, done: done([], 'wrong'), trouble: '' };
    expect(endProcess(all, end)).toEqual({ next: [], errors: [{ message: 'wrong' }] });
  });

  test('that ended before it said so, the test fails that was running', () => {
    const all = tests({ id: 'a', hasBegun: true }, { id: 'b' });
    expect(endProcess(all, { only: null, done: null, trouble: 'gone' }).next).toEqual(['b']);
    expect(shown(all)).toEqual(['a failed gone', 'b ']);
  });

  test('that ended between two tests, the next one fails for it', () => {
    const all = tests({ id: 'a', ...passed, hasBegun: true }, { id: 'b' }, { id: 'c' });
    expect(endProcess(all, { only: null, done: null, trouble: 'gone' }).next).toEqual([]);
    expect(shown(all)).toEqual(['a passed', 'b failed gone', 'c skipped']);
  });

  test('that knew no tests, the trouble is the run’s', () => {
    const end = { only: null, done: null, trouble: 'gone' };
    expect(endProcess([], end)).toEqual({ next: [], errors: [{ message: 'gone' }] });
  });

  test('that settled no test of those it was to run, none is tried again', () => {
    const all = tests({ id: 'a', ...failed }, { id: 'b' }, { id: 'c' });
    expect(endProcess(all, { only: ['b', 'c'], done: done(), trouble: '' }).next).toEqual([]);
    expect(shown(all)).toEqual(['a failed', 'b failed The test did not run', 'c skipped']);
  });
});
