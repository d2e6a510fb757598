import { describe, expect, test } from 'vitest';
import { KeptBody } from '#workers/http/kept-body.ts';
import { BodyBudget } from '#workers/net/body-budget.ts';

describe('a kept body', () => {
  test('is what came, in order, however small the pieces', () => {
    const kept = new KeptBody(new BodyBudget(100_000));
    const whole = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
    for (const byte of whole) expect(kept.add(Buffer.of(byte), 100_000)).toBe(true);
    expect(kept.bytes).toEqual(whole);
  });

  test('stops at its limit without asking for more memory', () => {
    const kept = new KeptBody(new BodyBudget(4));
    expect(kept.add(Buffer.from('abc'), 4)).toBe(true);
    expect(kept.add(Buffer.from('def'), 4)).toBe(true);
    expect(kept.add(Buffer.from('ghi'), 4)).toBe(true);
    expect(kept.bytes.toString()).toBe('abcd');
  });

  test('takes nothing where nothing is wanted', () => {
    const kept = new KeptBody(new BodyBudget(0));
    expect(kept.add(Buffer.from('abc'), 0)).toBe(true);
    expect(kept.bytes).toHaveLength(0);
  });

  test('shares a budget with others and gives back all it took', () => {
    const budget = new BodyBudget(2_000);
    const [one, other] = [new KeptBody(budget), new KeptBody(budget)];
    expect(one.add(Buffer.alloc(1_500), 5_000)).toBe(true);
    expect(other.add(Buffer.alloc(600), 5_000)).toBe(false);
    one.release();
    expect(other.add(Buffer.alloc(600), 5_000)).toBe(true);
    other.release();
    expect(budget.reserve(2_000)).toBe(true);
    expect(budget.reserve(1)).toBe(false);
  });
});
