import { CommandError } from './commands/command-error.ts';
import {
  createKeyCommand,
  type KeyStore,
  listKeysCommand,
  type Output,
  revokeKeyCommand,
} from './commands/keys.ts';
import { type Actions, createProgram, type Parsed } from './commands/program.ts';
import { flagsOf } from './platform/settings/options.ts';
import { readConfigFile, readSettings } from './platform/settings/read.ts';
import type { Settings } from './platform/settings/table.ts';
import { StartupError } from './platform/startup-error.ts';
import { VERSION } from './platform/version.ts';
import { ServiceError } from './services/service-error.ts';
import { isOfDisk, StoreError } from './store/store-error.ts';

const output: Output = { answer: (line) => console.log(line), note: (line) => console.error(line) };

// What a command needs is loaded when it runs, so that `--help` does not wait for the appliance.
const actions: Actions = {
  async serve(parsed) {
    const { settings, renamed } = settingsOf(parsed);
    const { serve } = await import('./headless.ts');
    await serve(settings, renamed);
  },
  async open(parsed) {
    const { dataDir, publicUrl, openBrowser } = settingsOf(parsed).settings;
    const { signInLinkOfRunning } = await import('./commands/sign-in-link.ts');
    const link = await signInLinkOfRunning(dataDir, publicUrl);
    output.answer(link);
    const browser = await import('./platform/open-browser.ts');
    if (openBrowser && browser.isByHand(process)) await browser.openBrowser(link, dataDir);
  },
  async createKey(name, parsed) {
    await using store = await keysOf(parsed);
    await createKeyCommand(store, name, output);
  },
  async listKeys(parsed) {
    await using store = await keysOf(parsed);
    await listKeysCommand(store, output);
  },
  async revokeKey(id, parsed) {
    await using store = await keysOf(parsed);
    await revokeKeyCommand(store, id, output);
  },
  async doctor(parsed) {
    const { doctorCommand } = await import('./commands/doctor/doctor.ts');
    const outcome = readSettings({ flags: flagsOf(parsed), env: process.env, readConfigFile });
    const isWell = await doctorCommand(outcome, { json: parsed.json === true }, output);
    if (!isWell) process.exitCode = 1;
  },
  async record(url, parsed) {
    const { settings } = settingsOf(parsed);
    const { nameOf, recordCommand, recordingParts } = await import('./commands/record.ts');
    const name = typeof parsed.name === 'string' ? parsed.name : nameOf(url);
    const isRecorded = await recordCommand({ url, name }, recordingParts(settings), output);
    if (!isRecorded) process.exitCode = 2;
  },
};

/** The running appliance has the folder's lock and so comes first. */
async function keysOf(parsed: Parsed): Promise<KeyStore> {
  const { dataDir } = settingsOf(parsed).settings;
  const { keysOfRunning } = await import('./commands/running-keys.ts');
  const running = await keysOfRunning(dataDir);
  if (running !== null) return running;
  const { keysOfFolder } = await import('./commands/folder-keys.ts');
  return keysOfFolder(dataDir);
}

/**
 * The settings of a command, from its flags, the environment and `config.json`.
 *
 * @throws CommandError with every problem, a line each
 */
function settingsOf(parsed: Parsed): {
  settings: Settings;
  /** A sentence for each setting that was given under its former name. */
  renamed: readonly string[];
} {
  const outcome = readSettings({ flags: flagsOf(parsed), env: process.env, readConfigFile });
  if (outcome.settings === null) throw new CommandError(outcome.problems.join('\n'));
  return outcome;
}

try {
  await createProgram(VERSION, actions).parseAsync();
} catch (error) {
  for (const line of toldOf(error).split('\n')) console.error(`watchpost: ${line}`);
  process.exitCode = 1;
}

/** The lines for an error that the operator can mend; a fault of our code ends with its stack. */
function toldOf(error: unknown): string {
  const isTold =
    error instanceof CommandError || error instanceof StartupError || error instanceof ServiceError;
  if (isTold) return error.message;
  if (error instanceof StoreError && isOfDisk(error)) {
    return `The data folder cannot be written: ${error.message}`;
  }
  throw error;
}
