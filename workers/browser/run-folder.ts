import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ScriptFiles } from '#shared/checks/script-files.ts';
import { OWN_FOLDER, type SpecJob, TRANSFORMED_FILE } from './spec/job.ts';

/** Where a job is written, for the process that takes it; relative to the folder of the run. */
export const JOB_FILE = `${OWN_FOLDER}/job.json`;

/**
 * Writes the files of a check into the folder of its run, and the packages that they import beside them.
 *
 * @param files whose paths lie inside the folder, see `filePathProblems`
 * @param modules a `node_modules`
 * @param name of the check: the title of the test that a plain script becomes
 * @returns the file with the tests, relative to the folder
 */
export async function writeScriptFiles(
  folder: string,
  { texts, script, isPlain }: ScriptFiles,
  modules: string,
  name: string,
): Promise<string> {
  await mkdir(join(folder, OWN_FOLDER), { recursive: true });
  await symlink(modules, join(folder, 'node_modules'), 'junction');
  for (const [path, text] of texts) {
    await write(join(folder, path), isPlain && path === script ? asFunction(text) : text);
  }
  if (!isPlain) return script;
  await write(join(folder, PLAIN_FILE), asTest(script, name));
  return PLAIN_FILE;
}

const PLAIN_FILE = `${OWN_FOLDER}/plain.spec.js`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o600 });
}

/** The body of a script as a function, in which `await` is at home. Its lines keep their numbers. */
const asFunction = (script: string): string => `module.exports = async () => {${script}\n};`;

/** A test that runs such a function, for as long as the run may take. */
function asTest(script: string, name: string): string {
  return `const { test } = require('@playwright/test');
const run = require(${JSON.stringify(`../${script}`)});
test.setTimeout(0);
test(${JSON.stringify(name)}, () => run());
`;
}

/** What an earlier run of the same check left for this one. */
export async function writeTransformed(folder: string, transformed: Uint8Array): Promise<void> {
  await writeFile(join(folder, TRANSFORMED_FILE), transformed, { mode: 0o600 });
}

/** Readable by nobody else: it holds the variables of the check. */
export async function writeJob(folder: string, job: SpecJob): Promise<void> {
  await writeFile(join(folder, JOB_FILE), JSON.stringify(job), { mode: 0o600 });
}
