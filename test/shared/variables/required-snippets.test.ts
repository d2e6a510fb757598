import { expect, test } from 'vitest';
import { requiredSnippets } from '#shared/variables/snippet.ts';

test.each([
  ["require('./snippets/a')", ['a']],
  ['require("./snippets/a.js"); import(`./snippets/b c`)', ['a.js', 'a', 'b c']],
  ["'./snippets/a' './snippets/a.js' './snippets/a'", ['a', 'a.js']],
  ["'./snippets/log.in/now.min'", ['log.in/now.min']],
  ["'./snippets/a\n'", []],
  ["'./snippets/'", []],
  [`'./snippets/${'x'.repeat(261)}'`, []],
  ["'./snippets/and ./snippets/a'", ['a']],
])('%s requires %j', (code, names) => {
  expect(requiredSnippets(code)).toEqual(names);
});
