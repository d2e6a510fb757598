// Writes the table of settings into docs/settings.md; a test fails where the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '#main/platform/settings/document.ts';

const page = new URL('../docs/settings.md', import.meta.url);
const before = readFileSync(page, 'utf8');
const after = before.replace(/^\|.*\|\n(?:\|.*\|\n)*/m, () => `${settingsTable()}\n`);
if (after === before) console.log('docs/settings.md is as it should be');
else writeFileSync(page, after);
