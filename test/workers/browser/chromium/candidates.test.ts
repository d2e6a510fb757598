import { describe, expect, test } from 'vitest';
import { kindOf, systemCandidates } from '#workers/browser/chromium/candidates.ts';

const pathsOn = (platform: NodeJS.Platform, env: Record<string, string>, home = '/home/jo') =>
  systemCandidates({ platform, env, home }).map(({ path }) => path);

describe('where a browser of the system may be', () => {
  test('on Linux: headless shells first, each in every folder of the path, then Chrome and Chromium', () => {
    expect(pathsOn('linux', { PATH: '/a:relative::/b' })).toEqual([
      '/a/chromium-headless-shell',
      '/b/chromium-headless-shell',
      '/a/chrome-headless-shell',
      '/b/chrome-headless-shell',
      '/a/headless_shell',
      '/b/headless_shell',
      '/usr/lib/chromium/headless_shell',
      '/usr/lib64/chromium-browser/headless_shell',
      '/a/google-chrome-stable',
      '/b/google-chrome-stable',
      '/a/google-chrome',
      '/b/google-chrome',
      '/a/chromium',
      '/b/chromium',
      '/a/chromium-browser',
      '/b/chromium-browser',
      '/opt/google/chrome/chrome',
    ]);
  });

  test('on Linux without a path, and with a folder twice: each place once', () => {
    expect(pathsOn('linux', {})).toContain('/usr/bin/chromium');
    const paths = pathsOn('linux', { PATH: '/a:/a' });
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('on macOS: the path, then the applications of all and of the user', () => {
    expect(pathsOn('darwin', { PATH: '/opt/homebrew/bin' }, '/Users/jo')).toEqual(
      expect.arrayContaining([
        '/opt/homebrew/bin/chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Users/jo/Applications/Chromium.app/Contents/MacOS/Chromium',
      ]),
    );
  });

  test('on Windows: Chrome, then Chromium, then Edge, of the machine and of the user', () => {
    const env = { PROGRAMFILES: 'C:\\Programs', LOCALAPPDATA: 'C:\\Users\\jo\\Local' };
    expect(pathsOn('win32', env)).toEqual([
      'C:\\Programs\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Users\\jo\\Local\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Programs\\Chromium\\Application\\chrome.exe',
      'C:\\Users\\jo\\Local\\Chromium\\Application\\chrome.exe',
      'C:\\Programs\\Microsoft\\Edge\\Application\\msedge.exe',
      'C:\\Users\\jo\\Local\\Microsoft\\Edge\\Application\\msedge.exe',
    ]);
  });
});

test.each([
  ['/usr/bin/chromium-headless-shell', 'headless-shell'],
  ['/root/.cache/chrome-headless-shell-linux64/chrome-headless-shell', 'headless-shell'],
  ['C:\\shell\\chrome-headless-shell.exe', 'headless-shell'],
  ['/var/cache/chromium/147.0.0/headless_shell', 'headless-shell'],
  ['/usr/bin/google-chrome', 'chrome'],
  ['/headless_shell/chrome', 'chrome'],
])('%s is a %s by its name', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});
