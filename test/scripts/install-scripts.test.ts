import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

interface Locked {
  hasInstallScript?: boolean;
}

test('of every package with an install script it is said whether npm runs it', async () => {
  const { packages } = (await json('package-lock.json')) as { packages: Record<string, Locked> };
  const { allowScripts } = (await json('package.json')) as {
    allowScripts: Record<string, boolean>;
  };
  const names = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts)).toEqual([...new Set(names)].sort());
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed).toEqual(['isolated-vm', 'node']);
});

test('an installation prints no warning that a newcomer would have to ignore', async () => {
  expect(await readFile('.npmrc', 'utf8')).toMatch(/^loglevel=error$/m);
});

test('the install script of the API page’s library, where npm runs it, reports to nobody', async () => {
  const { scarfSettings } = await json('package.json');
  expect(scarfSettings).toEqual({ enabled: false });
});
