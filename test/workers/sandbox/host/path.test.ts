import posix from 'node:path/posix';
import { afterAll, expect, test } from 'vitest';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../../../fixtures/scripts.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

const PATHS = ['', '.', '/', 'a', 'a/', '/a', '/a/b.c', './a/../b', '../../a', '/../a', 'a//b/c'];
const MORE = ['.bashrc', 'a.', 'a.b.c', '..', '/a/../..', 'a/..', './', '../'];
const all = [...PATHS, ...MORE];

const ONE = ['normalize', 'dirname', 'basename', 'extname', 'isAbsolute', 'parse'] as const;
const TWO = ['join', 'resolve', 'relative'] as const;

/** Absolute where Node would ask for its working directory. */
function pairs(before: string): string[][] {
  return all.flatMap((a) => all.map((b) => [`/x/${a}`, before + b]));
}

test.each([
  ...ONE.map((name) => [name, all.map((path) => [path])] as const),
  ...TWO.map((name) => [name, pairs(name === 'relative' ? '/y/' : '')] as const),
])('path.%s is that of Node', async (name, calls) => {
  const code = `request.body = JSON.stringify(${JSON.stringify(calls)}.map((args) => require('path').${name}(...args)))`;
  const { request, error } = await host.run(setupTask(code));
  expect(error).toBeNull();
  const own = posix[name] as (...args: readonly string[]) => unknown;
  expect(JSON.parse(request.body)).toEqual(calls.map((args) => own(...args)));
});
