import { describe, expect, test } from 'vitest';
import { MAX_ARTIFACT_NAME } from '#shared/artifacts/artifact.ts';
import { artifactName, uniqueName } from '#shared/artifacts/artifact-name.ts';
import { contentTypeOf } from '#shared/artifacts/content-type.ts';

describe('the name of an artifact', () => {
  test.each([
    ['screenshot.png', 'screenshot.png'],
    ['report/data/a b.png', 'report/data/a b.png'],
    ['Übersicht 日本語 👍.png', 'Übersicht 日本語 👍.png'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/etc//passwd', 'etc/passwd'],
    ['..\\..\\windows\\system.ini', 'windows/system.ini'],
    ['a/./b/../c', 'a/b/c'],
    ['a\r\nset-cookie: b\0', 'a__set-cookie: b_'],
    ['\u202Egnp.exe', '_gnp.exe'],
    ['\uD800.png', '\uFFFD.png'],
    ['', 'file'],
    ['../..', 'file'],
  ])('of %j is %j', (text, name) => {
    expect(artifactName(text)).toBe(name);
  });

  test('is cut so that its extension stays', () => {
    const name = artifactName(`${'👍'.repeat(200)}.png`);
    expect(name).toHaveLength(MAX_ARTIFACT_NAME);
    expect(name.endsWith('.png')).toBe(true);
    expect(name.isWellFormed()).toBe(true);
  });

  test('counts on where another has it, within its length', () => {
    const taken = new Set(['a.png', 'a (2).png', 'b']);
    const isTaken = (name: string) => taken.has(name);
    expect(uniqueName('c', isTaken)).toBe('c');
    expect(uniqueName('b', isTaken)).toBe('b (2)');
    expect(uniqueName('a.png', isTaken)).toBe('a (3).png');
    const long = `${'x'.repeat(MAX_ARTIFACT_NAME - 4)}.png`;
    const other = uniqueName(long, (name) => name === long);
    expect(other).toHaveLength(MAX_ARTIFACT_NAME);
    expect(other.endsWith(' (2).png')).toBe(true);
  });
});

test.each([
  ['a.PNG', 'image/png'],
  ['video.webm', 'video/webm'],
  ['report/index.html', 'text/html'],
  ['a.constructor', 'application/octet-stream'],
  ['png', 'application/octet-stream'],
])('the content type of %s is %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type);
});
