import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandError } from '#main/commands/command-error.ts';
import { missingFor, nameOf, type RecordingParts, recordCommand } from '#main/commands/record.ts';
import type { ChromiumReport } from '#shared/runs/chromium-report.ts';
import { ADMIN_TOKEN, type Harness, startApi } from '../../fixtures/api-harness.ts';

const CHROME: ChromiumReport = {
  found: { path: '/opt/chrome', kind: 'chrome', source: 'of the system', args: [] },
  tried: [],
  version: '150.0',
  refusal: null,
  ffmpeg: null,
};
const SCRIPT = `import { test, expect } from '@playwright/test';

test('test', async ({ page }) => {
  await page.goto('https://shop.example.com/');
});
`;
const RECORDING = { url: 'https://shop.example.com/', name: 'Shop' };

let folder = '';
let api: Harness;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchpost-record-test-'));
  api = await startApi();
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

function collected() {
  const answers: string[] = [];
  const notes: string[] = [];
  const answer = (line: string) => void answers.push(line);
  const note = (line: string) => void notes.push(line);
  return { answers, notes, answer, note };
}

/** A code generator of these lines; `file` is where it is to write to, `args` what it was given. */
async function codegen(lines: string): Promise<RecordingParts['codegen']> {
  const program = join(folder, 'codegen.cjs');
  await writeFile(
    program,
    `const fs = require('fs'); const args = process.argv.slice(2);
     const file = args[args.indexOf('--output') + 1];
     ${lines}`,
  );
  return [process.execPath, program, 'codegen'];
}
const WRITES = `fs.writeFileSync(file, ${JSON.stringify(SCRIPT)});`;

async function parts(lines = WRITES, changes: Partial<RecordingParts> = {}) {
  return {
    platform: 'linux' as const,
    env: { DISPLAY: ':0' },
    chromium: async () => CHROME,
    codegen: await codegen(lines),
    appliance: async () => ({ url: api.url, adminToken: ADMIN_TOKEN }),
    ...changes,
  };
}

const keysOf = () => [...api.configuration.keys.all()].map(({ name }) => name);
const checks = async () => (await api.call('GET', '/v1/checks')).body as Record<string, unknown>[];

describe('what somebody records', () => {
  test('becomes a browser check of the running appliance; the key that it took is gone', async () => {
    const out = collected();
    expect(await recordCommand(RECORDING, await parts(), out)).toBe(true);
    const [check] = await checks();
    expect(check).toMatchObject({ checkType: 'BROWSER', name: 'Shop', script: SCRIPT });
    expect(out.answers).toEqual([check?.id]);
    expect(out.notes).toEqual([`The browser check "Shop" has the id ${check?.id}.`]);
    expect(keysOf()).toEqual(['tests']);
  });

  test('is a script where no appliance runs', async () => {
    const out = collected();
    const alone = await parts(WRITES, { appliance: async () => null });
    expect(await recordCommand(RECORDING, alone, out)).toBe(true);
    expect(out.answers).toEqual([SCRIPT]);
    expect(out.notes[0]).toContain('No appliance runs');
  });

  test('begins at the address, in the browser that was found, and leaves no file', async () => {
    const told = join(folder, 'told');
    const lines = `fs.writeFileSync('${told}', JSON.stringify([process.env.PWTEST_CLI_EXECUTABLE_PATH, ...args, file]));
      ${WRITES}`;
    const before = await readdir(tmpdir());
    await recordCommand(RECORDING, await parts(lines), collected());
    const [browser, command, ...args] = JSON.parse(
      await import('node:fs/promises').then(({ readFile }) => readFile(told, 'utf8')),
    );
    const file = args.pop();
    expect([browser, command]).toEqual(['/opt/chrome', 'codegen']);
    expect(args).toEqual(['--target', 'playwright-test', '--output', file, '--', RECORDING.url]);
    expect(
      (await readdir(tmpdir())).filter((name) => name.startsWith('watchpost-record-')),
    ).toEqual(before.filter((name) => name.startsWith('watchpost-record-')));
  });

  test('is printed where the appliance refuses the check, and the key is gone too', async () => {
    const out = collected();
    const tooLong = { ...RECORDING, name: 'x'.repeat(1_000) };
    const recorded = recordCommand(tooLong, await parts(), out);
    await expect(recorded).rejects.toThrow(/^Watchpost refused \(400\): .*name/);
    expect(out.answers).toEqual([SCRIPT]);
    expect(keysOf()).toEqual(['tests']);
  });

  test.each([
    ['', 'nothing was recorded, so no check was created'],
    [`fs.writeFileSync(file, 'test()');`, 'nothing was recorded, so no check was created'],
    [`${WRITES} process.exitCode = 3;`, 'the code generator ended with 3'],
  ])('is nothing where the code generator does %j', async (lines, message) => {
    const recorded = recordCommand(RECORDING, await parts(lines), collected());
    await expect(recorded).rejects.toThrow(new CommandError(message));
    expect(await checks()).toEqual([]);
  });
});

test('without a display or a browser, nothing is started, and all that is missing is told', async () => {
  const out = collected();
  const none = { ...CHROME, found: null, tried: ['/x is not there'] };
  const nowhere = await parts(`throw new Error('started')`, {
    env: {},
    chromium: async () => none,
  });
  expect(await recordCommand(RECORDING, nowhere, out)).toBe(false);
  expect(out.answers).toEqual([]);
  expect(out.notes).toEqual([
    expect.stringContaining('no display'),
    expect.stringContaining('a Chromium with a window'),
  ]);
});

test.each<[NodeJS.Platform, Record<string, string>, number]>([
  ['linux', {}, 1],
  ['linux', { DISPLAY: '' }, 1],
  ['linux', { DISPLAY: ':0' }, 0],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 0],
  ['darwin', {}, 0],
  ['win32', {}, 0],
])('on %s with %j, %d things are missing', (platform, env, count) => {
  expect(missingFor({ platform, env }, CHROME)).toHaveLength(count);
});

test('a browser that does not start is missing too', () => {
  const broken = { ...CHROME, version: null, refusal: 'libx.so is missing' };
  expect(missingFor({ platform: 'darwin', env: {} }, broken)).toEqual([
    '/opt/chrome does not start: libx.so is missing',
  ]);
});

test.each([
  ['https://shop.example.com/', 'Recorded: shop.example.com'],
  ['http://localhost:3000/login?next=/', 'Recorded: localhost:3000/login'],
  [`https://shop.example.com/${'x'.repeat(200)}`, `Recorded: shop.example.com/${'x'.repeat(73)}`],
])('a check of %s is called %s', (url, name) => {
  expect(nameOf(url)).toBe(name);
});
