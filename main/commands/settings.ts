import { readConfigFile } from '#main/platform/settings/config-file.ts';
import { flagsOf } from '#main/platform/settings/options.ts';
import { readSettings } from '#main/platform/settings/read.ts';
import type { Settings } from '#main/platform/settings/table.ts';
import { CommandError } from './command-error.ts';

/**
 * The settings of a command, from its flags, the environment and `config.json`.
 *
 * @throws CommandError with every problem, a line each
 */
export function settingsOf(parsed: Readonly<Record<string, unknown>>): {
  settings: Settings;
  /** A sentence for each setting that was given under its former name. */
  renamed: readonly string[];
} {
  const outcome = readSettings({ flags: flagsOf(parsed), env: process.env, readConfigFile });
  if (outcome.settings === null) throw new CommandError(outcome.problems.join('\n'));
  return outcome;
}
