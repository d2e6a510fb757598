import { expect, test } from 'vitest';
import { reasonToInstall } from '../../scripts/install-decision.js';

const installed = {
  hasFolder: true,
  hasNode: true,
  lockHash: 'a1',
  stampHash: 'a1' as string | null,
  lockTimeMs: 1_000,
  installedTimeMs: 900 as number | null,
};
const CHANGED = 'package-lock.json has changed since the last installation';
const NO_NODE = 'the Node that Watchpost runs on is missing';

test.each<[string, Partial<typeof installed>, string | null]>([
  ['our stamp is of this lock file', {}, null],
  ['nothing is installed', { hasFolder: false }, 'node_modules is missing'],
  ['the lock file changed', { lockHash: 'b2' }, CHANGED],
  ['the lock file changed, then npm ran by hand', { lockHash: 'b2', installedTimeMs: 2_000 }, null],
  ['only npm ran, after the lock file', { stampHash: null, installedTimeMs: 1_000 }, null],
  ['only npm ran, before the lock file', { stampHash: null }, CHANGED],
  [
    'an installation broke off',
    { stampHash: null, installedTimeMs: null },
    'the last installation did not finish',
  ],
  ['the Node is missing', { hasNode: false }, NO_NODE],
  [
    'npm ran by hand without its scripts',
    { stampHash: null, lockTimeMs: 1, hasNode: false },
    NO_NODE,
  ],
])('%s', (_case, facts, reason) => {
  expect(reasonToInstall({ ...installed, ...facts })).toBe(reason);
});
