import { describe, expect, test } from 'vitest';
import { filePathProblems, scriptFiles } from '#shared/checks/script-files.ts';

const SPEC = `import { test } from '@playwright/test';`;
const file = (path: string) => ({ path, content: 'x' });

describe('the files of a run', () => {
  test.each([
    ['a spec', { script: SPEC }, 'check.spec.ts', false],
    ['a plain script', { script: 'await 1;' }, 'check.js', true],
    ['a named script', { script: SPEC, scriptPath: './a/./b.spec.js' }, 'a/b.spec.js', false],
    [
      'a spec whose fixtures import the runner',
      {
        script: `import { test } from './own';`,
        dependencies: [{ path: 'own.ts', content: SPEC }],
      },
      'check.spec.ts',
      false,
    ],
    [
      'a spec beside a file of that name',
      { script: SPEC, dependencies: [file('check.spec.ts')] },
      'own-check.spec.ts',
      false,
    ],
  ])('of %s', (_, check, script, isPlain) => {
    const files = scriptFiles(check, {});
    expect(files).toMatchObject({ script, isPlain });
    expect(files.texts.get(script)).toBe(check.script);
  });

  test('include the snippets that it requires, unless they lead elsewhere', () => {
    const check = { script: SPEC, dependencies: [file('snippets/taken.js')] };
    const snippets = { one: '1', taken: '2', '../../out': '3', 'in/ner': '4' };
    expect([...scriptFiles(check, snippets).texts]).toEqual([
      ['snippets/taken.js', 'x'],
      ['snippets/one.js', '1'],
      ['snippets/in/ner.js', '4'],
      ['check.spec.ts', SPEC],
    ]);
  });
});

describe('the paths of a check', () => {
  test.each([
    ['../up.ts', 'expected a path inside the project, without ".."'],
    ['a/../../up.ts', 'expected a path inside the project, without ".."'],
    ['/etc/passwd', 'expected a relative path'],
    ['C:/x.ts', 'expected a relative path'],
    ['a\\b.ts', 'expected a path with slashes, not backslashes'],
    ['node_modules/x/index.js', 'expected a path without node_modules in it'],
    ['a/Node_Modules/x.js', 'expected a path without node_modules in it'],
    ['.watchpost/job.json', 'expected a path without .watchpost in it'],
    ['./a.ts', 'expected a path that dependencies.0.path does not have already'],
    ['a.ts/b.ts', 'expected a path that is no folder of dependencies.0.path, nor within it'],
    ['login.spec.ts', 'expected a path that scriptPath does not have already'],
  ])('%s is refused', (path, message) => {
    const dependencies = [file('a.ts'), file(path)];
    const problems = filePathProblems({ scriptPath: 'login.spec.ts', dependencies });
    expect(problems).toEqual([{ path: ['dependencies', 1, 'path'], message }]);
  });

  test('say of a script whether Node would load it', () => {
    expect(filePathProblems({ scriptPath: 'script.txt' })).toEqual([
      { path: ['scriptPath'], message: 'expected a name that ends in .js or .ts' },
    ]);
    for (const scriptPath of ['a.ts', 'a.mjs', 'a.cts', 'a.spec.tsx', null, undefined]) {
      expect(filePathProblems({ scriptPath })).toEqual([]);
    }
  });

  test('are not looked at where they are none', () => {
    expect(filePathProblems({ scriptPath: 1, dependencies: [null, {}, { path: 2 }] })).toEqual([]);
  });
});
