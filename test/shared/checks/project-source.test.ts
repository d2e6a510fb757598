import { expect, test } from 'vitest';
import { keyOfArchive, projectSource } from '#shared/checks/project-source.ts';

const SHA = 'ab'.repeat(32);

test.each([
  ['/srv/shop', '/srv/shop'],
  ['file:///srv/my%20shop', '/srv/my shop'],
  ['file://localhost/srv/shop', '/srv/shop'],
  ['C:\\shop', 'C:\\shop'],
  ['file:///C:/shop', 'C:/shop'],
])('%s names a folder', (text, path) => {
  expect(projectSource(text)).toEqual({ kind: 'folder', path });
});

test('the key of an archive names it', () => {
  expect(projectSource(keyOfArchive(SHA))).toEqual({ kind: 'archive', sha256: SHA });
});

test.each([
  'shop',
  '../shop',
  'file://other.example/srv/shop',
  'file:///%ff',
  'file:///a%00b',
  'https://example.com/a.tgz',
  `code-bundles/${SHA.toUpperCase()}`,
  `code-bundles/${SHA}/../x`,
  `code-bundles/${SHA}\n`,
])('%j names nothing', (text) => {
  expect(projectSource(text)).toEqual({ kind: 'unknown' });
});
