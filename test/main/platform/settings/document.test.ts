import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingsTable } from '#main/platform/settings/document.ts';
import { SETTING_NAMES, SETTINGS } from '#main/platform/settings/table.ts';

test('docs/settings.md holds the table of settings as it is now', () => {
  const page = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
  expect(page, 'run: node scripts/document-settings.ts').toContain(`\n${settingsTable()}\n`);
});

test('every setting has a variable and a flag of its own', () => {
  const all = SETTING_NAMES.map((name) => SETTINGS[name]);
  expect(new Set(all.map(({ env }) => env)).size).toBe(all.length);
  const flags = all.flatMap(({ flag }) => (flag === null ? [] : [flag.name]));
  expect(new Set(flags).size).toBe(flags.length);
});

test('a secret has no flag', () => {
  for (const name of SETTING_NAMES) {
    if (SETTINGS[name].secret) expect(SETTINGS[name].flag, name).toBeNull();
  }
});
