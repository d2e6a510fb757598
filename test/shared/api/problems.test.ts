import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_PROBLEMS, parseInput } from '#shared/api/problems.ts';
import { createSchema } from '#shared/checks/check.ts';

const list = (length: number) => Array.from({ length }, () => 'x');

function pathsOf(schema: z.ZodType, input: unknown): string[] {
  const parsed = parseInput(schema, input, 'body');
  return parsed.ok ? [] : parsed.problems.map(({ path }) => path).sort();
}

test('lists that are too long hide neither each other nor the rules between members', () => {
  const body = {
    name: '',
    tags: list(201),
    frequency: 60,
    frequencyOffset: 601,
    degradedResponseTime: 50,
    maxResponseTime: 10,
    environmentVariables: list(51),
    request: { method: 'GET', url: 'http://x/', assertions: list(101) },
  };
  expect(pathsOf(createSchema('API'), body)).toEqual([
    'degradedResponseTime',
    'environmentVariables',
    'frequencyOffset',
    'name',
    'request.assertions',
    'tags',
  ]);
});

test('a rule of a nested object is told beside its list that is too long', () => {
  const body = { name: 'x', request: { port: 1, assertions: list(101) } };
  expect(pathsOf(createSchema('TCP'), body)).toEqual(['request.assertions', 'request.hostname']);
});

test('a list that is too long inside of a list is told at its place', () => {
  const rows = z.array(z.object({ cells: z.array(z.string()).max(1) }));
  const schema = z.object({ rows, sum: z.number() }).refine(() => false, {
    path: ['sum'],
    error: 'expected the sum of the cells',
    when: () => true,
  });
  const input = { rows: [{ cells: [] }, { cells: list(2) }], sum: 1 };
  expect(pathsOf(schema, input)).toEqual(['rows.1.cells', 'sum']);
});

test('members with the names of prototypes stay members', () => {
  const input = JSON.parse(`{"__proto__":{"name":"evil"},"tags":${JSON.stringify(list(201))}}`);
  expect(pathsOf(createSchema('URL'), input)).toEqual(['name', 'request', 'tags']);
});

test('a body that is wrong in a thousand places is told a hundred', () => {
  const schema = z.object({ items: z.array(z.object({ key: z.string() })) });
  const input = { items: Array.from({ length: 1_000 }, () => ({})) };
  expect(pathsOf(schema, input)).toHaveLength(MAX_PROBLEMS);
});

test('members that an object does not have are told each by its place', () => {
  const schema = z.object({ target: z.strictObject({ tag: z.string().optional() }) });
  const parsed = parseInput(schema, { target: { tags: [], id: 1 } }, 'body');
  const many = Object.fromEntries(list(200).map((name, at) => [name.repeat(1_000) + at, 1]));
  const told = pathsOf(schema, { target: many });
  expect([told.length, told[0]?.length]).toEqual([100, 'target.'.length + 100]);
  expect(parsed).toEqual({
    ok: false,
    problems: ['target.tags', 'target.id'].map((path) => ({
      path,
      message: 'expected no member of this name',
    })),
  });
});
