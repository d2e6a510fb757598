import { isDeepStrictEqual } from 'node:util';
import type { ShownSetting } from '#shared/self-monitoring/shown-setting.ts';
import { defaultOf } from './options.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type Settings } from './table.ts';

/** All settings in force, in the order of their table, without what is secret. */
export function shownSettings(settings: Settings): ShownSetting[] {
  return SETTING_NAMES.map((name) => {
    const setting = SETTINGS[name] as Setting<unknown>;
    const value: unknown = settings[name];
    const isDefault = isDeepStrictEqual(value, setting.default);
    const { env, flag, description, secret: isSecret } = setting;
    return {
      ...{ name, env, description, isSecret, isDefault },
      flag: flag?.name ?? null,
      value: isSecret ? null : textOf(value),
      defaultText: isSecret ? 'none' : defaultOf(setting),
    };
  });
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(itemText).join(', ');
  return withoutPassword(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return withoutPassword(String(item));
  return Object.values(item).join(':');
}

/** Of a URL: a user and a password may stand in one. */
function withoutPassword(text: string): string {
  return text.replaceAll(/\/\/[^/@\s]*@/g, '//…@');
}
