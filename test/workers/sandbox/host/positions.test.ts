import { expect, test } from 'vitest';
import { positionInStack, snippetInStack, syntaxError } from '#workers/sandbox/host/positions.ts';

test.each([
  ['Error: x\n    at setup script:3:5\n    at watchpost:1:1', 3, 5],
  ['Error: x\n    at watchpost:9:9\n    at f (setup script:12:34)', 12, 34],
  ['setup script:1:1 is only its message\n    at watchpost:9:9', null, null],
  ['Error\n    at setup script:none:5', null, null],
  ['Error\n    at setup script:99999999999999999999:5', null, null],
  [
    'Error\n    at eval (eval at f (setup script:9:9), <anonymous>:1:7)\n    at setup script:3:5',
    3,
    5,
  ],
  ['', null, null],
])('the place in the stack %j', (stack, line, column) => {
  expect(positionInStack(stack, 'setup script')).toEqual({ line, column });
});

test.each([
  ['Error\n    at module.exports (snippet-log_in.js:3:5)\n    at setup script:9:1', 'log_in', 3],
  ['Error: setup script:1:1\n    at snippet-a.b.js:12:1', 'a.b', 12],
])('the snippet in the stack %j', (stack, name, line) => {
  expect(snippetInStack(stack, 'setup script')).toEqual({ name, line });
});

test.each([
  'Error\n    at setup script:9:1\n    at snippet-a.js:3:5',
  'Error\n    at snippet-a.js:none:5',
  'Error\n    at snippet-a.js:99999999999999999999:5',
  'snippet-a.js:3:5',
])('no snippet in the stack %j', (stack) => {
  expect(snippetInStack(stack, 'setup script')).toBeNull();
});

test.each([
  ["Unexpected token ';' [setup script:2:9]", "Unexpected token ';'", 2, 9],
  ['Bad [other:2:9]', 'Bad [other:2:9]', null, null],
])('the place in the syntax error %j', (text, message, line, column) => {
  expect(syntaxError(text, 'setup script')).toEqual({ message, line, column });
});
