import { readConfigFile } from '../settings/config-file.ts';
import { flagsOf } from '../settings/options.ts';
import { readSettings } from '../settings/read.ts';
import type { Settings } from '../settings/table.ts';
import { CommandError } from './command-error.ts';

/**
 * The settings of a command, from its flags, the environment and `config.json`.
 *
 * @throws CommandError with every problem, a line each
 */
export function settingsOf(parsed: Readonly<Record<string, unknown>>): Settings {
  const outcome = readSettings({ flags: flagsOf(parsed), env: process.env, readConfigFile });
  if (outcome.settings === null) throw new CommandError(outcome.problems.join('\n'));
  return outcome.settings;
}
