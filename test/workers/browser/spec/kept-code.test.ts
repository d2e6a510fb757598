import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BWRAP } from '../../../fixtures/cages.ts';
import { ScriptLab } from '../../../fixtures/script-lab.ts';

const folder = mkdtempSync(join(tmpdir(), 'wpt-'));
const lab = new ScriptLab(BWRAP);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await lab.close();
});

const KEPT_CODE = new URL('../../../../workers/browser/spec/kept-code.ts', import.meta.url).href;

/** Says what the package answers, and whether V8 refused code that was kept of each script made. */
const PROGRAM = `import { createRequire, syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
const refused = [];
vm.Script = class extends vm.Script {
  constructor(...given) {
    super(...given);
    refused.push(this.cachedDataRejected ?? null);
  }
};
syncBuiltinESMExports();
const { KeptCode } = await import('${KEPT_CODE}');
const kept = new KeptCode('${folder}/kept', (path) => path.includes('/one/'));
const answer = await createRequire('${folder}/program.mjs')('one').answer();
kept.leave();
console.log(JSON.stringify({ answer, refused }));
`;

/** A package, of which only the middle is to differ from one process to the next. */
function writePackage(word: string): void {
  const one = join(folder, 'node_modules', 'one');
  mkdirSync(join(one, 'lib'), { recursive: true });
  writeFileSync(
    join(one, 'index.js'),
    `const other = require('./lib/other.js');
exports.answer = async () => [
  '${word} – ☂', this === exports, __filename, other, require.resolve('./lib/other.js'),
  (await import('./lib/module.mjs')).default,
];`,
  );
  writeFileSync(join(one, 'lib', 'other.js'), `module.exports = '${word} other';`);
  writeFileSync(join(one, 'lib', 'module.mjs'), `export default '${word} module';`);
}

function runProgram(): { answer: unknown[]; refused: (boolean | null)[] } {
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const args = ['--disable-warning=ExperimentalWarning', join(folder, 'program.mjs')];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('files run with code that the first process left, as they were there', () => {
  writePackage('first');
  const first = runProgram();
  writePackage('later');
  const later = runProgram();
  const place = join(folder, 'node_modules', 'one');
  const same = ['first – ☂', true, join(place, 'index.js'), 'first other'];
  const path = join(place, 'lib', 'other.js');
  expect(first).toEqual({ answer: [...same, path, 'first module'], refused: [null, null] });
  // What is no script of a package is loaded by Node.
  expect(later).toEqual({ answer: [...same, path, 'later module'], refused: [false, false] });
  expect(readdirSync(folder).filter((name) => name.startsWith('kept'))).toEqual(['kept']);
});

test('runs of checks find the code of Playwright, and cannot write it', async () => {
  const script = `import { expect, test } from '@playwright/test';
import { readdirSync, rmSync } from 'node:fs';
test('finds it', () => {
  const kept = process.env.NODE_COMPILE_CACHE + '/playwright';
  expect(readdirSync(kept).filter((name) => name.includes('coreBundle'))).toHaveLength(2);
  if (${BWRAP !== null}) expect(() => rmSync(kept, { recursive: true })).toThrow();
});`;
  const { failure } = await lab.multiStep(script);
  expect(failure).toBeNull();
});
