import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfigFile } from '#main/platform/settings/read.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchpost-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the text of config.json is read', () => {
  writeFileSync(join(folder, 'config.json'), '{"port":1}');
  expect(readConfigFile(folder)).toEqual({ kind: 'text', text: '{"port":1}' });
});

test('without the file or the folder there is none', () => {
  expect(readConfigFile(folder)).toEqual({ kind: 'missing' });
  expect(readConfigFile(join(folder, 'not', 'there'))).toEqual({ kind: 'missing' });
});

test('a file that cannot be read says why', () => {
  mkdirSync(join(folder, 'config.json'));
  expect(readConfigFile(folder)).toEqual({ kind: 'unreadable', reason: 'EISDIR' });
});
