import { defaultOf } from './options.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from './table.ts';

/** The table of settings in Markdown, as docs/settings.md holds it. */
export function settingsTable(): string {
  const header = ['Variable', 'Flag', '`config.json`', 'Default', 'What it is'];
  const rows = SETTING_NAMES.map((name) => rowOf(name, SETTINGS[name]));
  const rule = header.map(() => '---');
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rowOf(name: string, setting: Setting<unknown>): string[] {
  const { flag, value } = setting;
  return [
    code(setting.env),
    flag === null ? 'none' : code(`${flag.name} <${flag.placeholder}>`),
    setting.inFile ? code(name) : 'not there',
    setting.defaultText ?? code(defaultOf(setting)),
    `${setting.description} Expected: ${value.expected}.`,
  ];
}

const code = (text: string): string => `\`${text}\``;
