import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Settings } from '#main/platform/settings/table.ts';
import type { ChromiumReport } from '#shared/runs/chromium-report.ts';
import { CommandError } from './command-error.ts';
import { chromiumReport } from './doctor/chromium.ts';
import type { Output } from './keys.ts';
import { ask, type Instance, json } from './running-instance.ts';
import { keysOf, runningOn } from './running-keys.ts';

/** What is to be recorded. */
export interface Recording {
  /** Where the browser begins. */
  url: string;
  /** Of the check. */
  name: string;
}

/** What a recording needs of this machine. */
export interface RecordingParts {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** Searches for a Chromium with a window. */
  chromium(): Promise<ChromiumReport>;
  /** Playwright's code generator: a program and its first arguments. */
  codegen: readonly [program: string, ...args: string[]];
  /** Null where no appliance runs on the data folder. */
  appliance(): Promise<Instance | null>;
}

/** The code generator of the installed Playwright, on the Node that this runs on. */
const CODEGEN = [
  process.execPath,
  join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js'),
  'codegen',
] as const;

/** This machine, with the settings of the appliance. */
export function recordingParts({ dataDir, chromium: setting }: Settings): RecordingParts {
  const search = { setting, cacheFolder: join(dataDir, 'cache') };
  return {
    platform: process.platform,
    env: process.env,
    chromium: () => chromiumReport({ search, needsWindow: true }),
    codegen: CODEGEN,
    appliance: () => runningOn(dataDir),
  };
}

/** The name of a check whose name was not given. */
export function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `Recorded: ${host}${pathname === '/' ? '' : pathname}`.slice(0, 100);
}

/**
 * Lets somebody use a browser, and makes a check of what they did: in the running appliance, or as a
 * script on standard output where none runs.
 *
 * @returns false where this machine cannot show a browser, which is said
 * @throws CommandError where the recording or its check failed
 */
export async function recordCommand(
  recording: Recording,
  parts: RecordingParts,
  out: Output,
): Promise<boolean> {
  const chromium = await parts.chromium();
  const needs = missingFor(parts, chromium);
  for (const need of needs) out.note(need);
  if (needs.length > 0) return false;
  const script = await recordedScript(recording, parts, chromium.found?.path ?? '');
  const appliance = await parts.appliance();
  if (appliance === null) {
    out.answer(script);
    out.note('No appliance runs on the data folder: this is the script of a browser check.');
    return true;
  }
  const id = await created(appliance, recording, script, out);
  out.answer(id);
  out.note(`The browser check ${JSON.stringify(recording.name)} has the id ${id}.`);
  return true;
}

/** What this machine lacks to show a browser to somebody, a line each. */
export function missingFor(
  { platform, env }: Pick<RecordingParts, 'platform' | 'env'>,
  { found, tried, refusal }: ChromiumReport,
): string[] {
  const isDesktop = platform === 'darwin' || platform === 'win32';
  const display = isDesktop || env.DISPLAY || env.WAYLAND_DISPLAY;
  const missing = [];
  if (!display) {
    missing.push(
      'Recording shows a browser, and there is no display here: DISPLAY and WAYLAND_DISPLAY are not set. Record on a desktop (also with `npx playwright codegen`), and create the check from there.',
    );
  }
  if (found === null) {
    missing.push(
      `Recording needs a Chromium with a window: install Chrome or Chromium, or run npx playwright install chromium (${tried.join('; ')}).`,
    );
  } else if (refusal !== null) {
    missing.push(`${found.path} does not start: ${refusal}`);
  }
  return missing;
}

async function recordedScript(
  { url }: Recording,
  { codegen: [program, ...args], env }: RecordingParts,
  chromium: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchpost-record-'));
  try {
    const file = join(folder, 'recorded.spec.ts');
    const all = [...args, '--target', 'playwright-test', '--output', file, '--', url];
    // What it prints is not the answer of this command.
    const stdio = ['ignore', process.stderr.fd, process.stderr.fd] as const;
    const child = spawn(program, all, {
      stdio: [...stdio],
      env: { ...env, PWTEST_CLI_EXECUTABLE_PATH: chromium },
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new CommandError(`the code generator ended with ${code}`);
    return await readRecorded(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readRecorded(file: string): Promise<string> {
  const script = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (script.includes('page.')) return script;
  throw new CommandError('nothing was recorded, so no check was created');
}

const createdCheck = z.object({ id: z.string() });
const KEY_NAME = 'watchpost record';

/** The check is created with a key of its own, which is revoked whatever comes. */
async function created(
  appliance: Instance,
  { name }: Recording,
  script: string,
  out: Output,
): Promise<string> {
  const keys = keysOf(appliance);
  const { id, key } = await keys.create(KEY_NAME);
  try {
    const body = { name, script };
    const answer = ask(appliance, 'POST', '/v1/checks/browser', body, key);
    return createdCheck.parse(await json(answer)).id;
  } catch (error) {
    // What was recorded is not lost.
    out.answer(script);
    throw error;
  } finally {
    await keys.revoke(id);
  }
}
