import { expect, test } from 'vitest';
import { projectPath } from '#shared/checks/project-path.ts';

test.each([
  ['a.ts', 'a.ts'],
  ['./tests//a.spec.ts', 'tests/a.spec.ts'],
  ['tests/./a b/ü.ts', 'tests/a b/ü.ts'],
  ['...', '...'],
  ['a..b/..c', 'a..b/..c'],
])('%s is %s in the project', (text, path) => {
  expect(projectPath(text)).toEqual({ path });
});

test.each([
  ['', 'expected the path of a file'],
  ['./.', 'expected the path of a file'],
  ['/etc/passwd', 'expected a relative path'],
  ['C:/x', 'expected a relative path'],
  ['../x', 'expected a path inside the project, without ".."'],
  ['a/../b', 'expected a path inside the project, without ".."'],
  ['a/..', 'expected a path inside the project, without ".."'],
  ['a\\..\\b', 'expected a path with slashes, not backslashes'],
  ['a\0b', 'expected a path without control characters'],
  ['a\nb', 'expected a path without control characters'],
  [`${'x/'.repeat(32)}x`, 'expected at most 32 folders in one another'],
  ['x'.repeat(1_001), 'expected a path of at most 1000 characters'],
  ['ü'.repeat(128), 'expected names of at most 255 bytes'],
])('%j is refused', (text, problem) => {
  expect(projectPath(text)).toEqual({ problem });
});
