import { type Command, Option } from 'commander';
import type { SettingSources } from './read.ts';
import { namesOf, SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './table.ts';

/** Adds the flags of the settings named to a command; each shows its variable and its default. */
export function addSettingOptions(command: Command, names: readonly SettingName[]): Command {
  for (const { option } of optionsOf(names)) command.addOption(option);
  return command;
}

/** The values of flags that a command line gave, by the setting's name or its former one. */
export function flagsOf(parsed: Readonly<Record<string, unknown>>): SettingSources['flags'] {
  const given = optionsOf(SETTING_NAMES).map(({ name, option }) => [
    name,
    parsed[option.attributeName()] as string | undefined,
  ]);
  return Object.fromEntries(given);
}

function optionsOf(settings: readonly SettingName[]): { name: string; option: Option }[] {
  return settings.flatMap((setting) => {
    const { description, env, ...rest } = SETTINGS[setting] as Setting<unknown>;
    const text = `${description} ${env}; default: ${defaultOf(rest)}.`;
    return namesOf(setting).flatMap(({ name, flag }) => {
      if (flag === null) return [];
      const option = new Option(`${flag.name} <${flag.placeholder}>`, text);
      return [{ name, option: option.hideHelp(name !== setting) }];
    });
  });
}

/** The default of a setting, for people. */
export function defaultOf(setting: Pick<Setting<unknown>, 'default' | 'defaultText'>): string {
  return setting.defaultText ?? String(setting.default);
}
