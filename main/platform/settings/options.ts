import { type Command, Option } from 'commander';
import type { SettingSources } from './read.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './table.ts';

/** Adds the flags of the settings named to a command; each shows its variable and its default. */
export function addSettingOptions(command: Command, names: readonly SettingName[]): Command {
  for (const { option } of optionsOf(names)) command.addOption(option);
  return command;
}

/** The values of flags that a command line gave, by the setting's name. */
export function flagsOf(parsed: Readonly<Record<string, unknown>>): SettingSources['flags'] {
  const given = optionsOf(SETTING_NAMES).map(({ name, option }) => [
    name,
    parsed[option.attributeName()] as string | undefined,
  ]);
  return Object.fromEntries(given);
}

function optionsOf(names: readonly SettingName[]): { name: SettingName; option: Option }[] {
  return names.flatMap((name) => {
    const setting = SETTINGS[name] as Setting<unknown>;
    const { flag } = setting;
    if (flag === null) return [];
    const text = `${setting.description} ${setting.env}; default: ${defaultOf(setting)}.`;
    return [{ name, option: new Option(`${flag.name} <${flag.placeholder}>`, text) }];
  });
}

/** The default of a setting, for people. */
export function defaultOf(setting: Setting<unknown>): string {
  return setting.defaultText ?? String(setting.default);
}
