import { expect, test } from 'vitest';
import { statusWord } from '#shared/results/check-status.ts';

test.each([
  [{}, 'passing'],
  [{ isDegraded: true }, 'degraded'],
  [{ hasFailures: true }, 'failing'],
  [{ hasErrors: true }, 'inconclusive'],
  [{ hasFailures: true, hasErrors: true }, 'failing'],
])('a check whose last result was %o is %s', (flags, word) => {
  const none = { hasFailures: false, hasErrors: false, isDegraded: false };
  expect(statusWord({ ...none, ...flags })).toBe(word);
});
