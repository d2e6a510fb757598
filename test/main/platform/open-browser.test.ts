import { expect, test } from 'vitest';
import { isByHand, openAddress, type Surroundings } from '#main/platform/open-browser.ts';

const desktop: Surroundings = {
  platform: 'linux',
  env: { DISPLAY: ':0' },
  stdout: { isTTY: true },
};

test.each<[string, Partial<Surroundings>, boolean]>([
  ['at a terminal of a desktop', {}, true],
  ['with Wayland', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, true],
  ['on macOS', { platform: 'darwin', env: {} }, true],
  ['on Windows', { platform: 'win32', env: {} }, true],
  ['without a display', { env: {} }, false],
  ['as a service', { stdout: {} }, false],
  ['in CI', { env: { DISPLAY: ':0', CI: 'true' } }, false],
  ['over SSH', { env: { DISPLAY: ':10', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' } }, false],
])('started %s', (_name, part, expected) => {
  expect(isByHand({ ...desktop, ...part })).toBe(expected);
});

test.each([
  ['http://127.0.0.1:8440', 'http://127.0.0.1:8440'],
  ['http://0.0.0.0:8440', 'http://127.0.0.1:8440'],
  ['http://[::]:8440', 'http://127.0.0.1:8440'],
  ['http://[::1]:8440', 'http://[::1]:8440'],
  ['http://10.0.0.0:8440', 'http://10.0.0.0:8440'],
])('a browser finds %s at %s', (url, expected) => {
  expect(openAddress(url)).toBe(expected);
});
