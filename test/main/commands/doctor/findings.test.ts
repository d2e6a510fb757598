import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { judgeChromium } from '#main/commands/doctor/chromium.ts';
import {
  type FolderFacts,
  folderFacts,
  judgeDataFolder,
  judgeRunsFolder,
} from '#main/commands/doctor/data-folder.ts';
import { type Finding, linesOf } from '#main/commands/doctor/finding.ts';
import {
  clockFacts,
  judgeClock,
  judgeNode,
  judgeSize,
  type SizeFacts,
} from '#main/commands/doctor/machine.ts';
import { judgePort, listeningSockets, portFacts } from '#main/commands/doctor/port.ts';
import {
  judgeBubblewrap,
  judgeFfmpeg,
  judgeMail,
  judgePing,
  judgeScriptHosts,
} from '#main/commands/doctor/programs.ts';
import type { ChromiumReport } from '#shared/runs/chromium-report.ts';
import { reasonOf } from '#workers/browser/chromium/start-reason.ts';

/** The levels and texts of findings, in their order. */
const told = (findings: Finding | Finding[]) =>
  [findings].flat().map(({ level, text }) => `${level}: ${text}`);

const FOLDER: FolderFacts = {
  path: '/data',
  kind: 'folder',
  refusal: null,
  mode: 0o700,
  owner: 1_000,
  user: 1_000,
  freeMb: 50_000,
};
const ROOM = 'ok: 50000 MB are free for the data folder.';

test.each<[string, Partial<FolderFacts>, string | null, string[]]>([
  ['well', {}, null, ['ok: /data, no appliance runs on it.', ROOM]],
  ['in use', {}, 'process 7', ['ok: /data, in use by process 7.', ROOM]],
  ['not there', { kind: 'none' }, null, ['ok: /data is made by the first start.', ROOM]],
  ['a file', { kind: 'other' }, null, ['problem: /data is not a folder.']],
  ['closed', { refusal: 'EACCES' }, null, ['problem: /data cannot be written (EACCES).', ROOM]],
  [
    'not to be made',
    { kind: 'none', refusal: 'EROFS' },
    null,
    ['problem: /data cannot be made (EROFS).', ROOM],
  ],
  [
    "another's",
    { user: 0 },
    null,
    [
      'ok: /data, no appliance runs on it.',
      'warning: It belongs to the user 1000, and you are 0.',
      ROOM,
    ],
  ],
  [
    'open to others',
    { mode: 0o755 },
    null,
    [
      'ok: /data, no appliance runs on it.',
      'warning: Others on this machine have rights to it (mode 755).',
      ROOM,
    ],
  ],
  [
    'of Windows',
    { mode: null, owner: null, user: null },
    null,
    ['ok: /data, no appliance runs on it.', ROOM],
  ],
  [
    'on a disk that is nearly full',
    { freeMb: 1_000 },
    null,
    ['ok: /data, no appliance runs on it.', 'warning: 1000 MB are free for the data folder.'],
  ],
  [
    'on a full disk',
    { freeMb: 100 },
    null,
    ['ok: /data, no appliance runs on it.', 'problem: 100 MB are free for the data folder.'],
  ],
])('a data folder that is %s', (_name, facts, holder, expected) => {
  expect(told(judgeDataFolder({ ...FOLDER, ...facts }, holder))).toEqual(expected);
});

test.each<[Partial<FolderFacts>, string]>([
  [{}, 'ok: /data has 50000 MB left.'],
  [{ freeMb: 10 }, 'warning: /data has only 10 MB left.'],
  [{ refusal: 'EROFS' }, 'problem: /data cannot be written (EROFS).'],
])('the folder of runs: %j', (facts, expected) => {
  expect(told(judgeRunsFolder({ ...FOLDER, ...facts }))).toEqual([expected]);
});

describe('a folder is looked at, and nothing is made', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-doctor-'));
    onTestFinished(() => rm(folder, { recursive: true }));
  });

  test('where it is there, where it is not, and where it is none', async () => {
    await mkdir(join(folder, 'open'), { mode: 0o750 });
    await writeFile(join(folder, 'file'), '');
    const user = process.getuid?.() ?? null;
    const known = { refusal: null, user, freeMb: expect.any(Number) };
    expect(await folderFacts(join(folder, 'open'))).toMatchObject({ ...known, kind: 'folder' });
    expect(await folderFacts(join(folder, 'file/x'))).toMatchObject({ kind: 'none' });
    expect(await folderFacts(join(folder, 'file'))).toMatchObject({ kind: 'other' });
    const none = { ...known, kind: 'none', mode: null, owner: null };
    expect(await folderFacts(join(folder, 'a/b/c'))).toMatchObject(none);
    expect((await readdir(folder)).sort()).toEqual(['file', 'open']);
  });

  test('the clock is compared with what was written last', async () => {
    expect((await clockFacts(join(folder, 'none'))).lastWrittenAt).toBeNull();
    await writeFile(join(folder, 'history.db'), '');
    const { now, lastWrittenAt } = await clockFacts(folder);
    expect(Math.abs(now - (lastWrittenAt ?? 0))).toBeLessThan(60_000);
  });
});

test.each([
  [{ port: 0 }, 'ok: Any free one is used.'],
  [{}, 'ok: localhost:8440 is free.'],
  [
    { refusal: 'EADDRINUSE', ownUrl: 'http://127.0.0.1:8440' },
    'ok: The appliance of this data folder answers at http://127.0.0.1:8440.',
  ],
  [
    { refusal: 'EADDRINUSE', ownUrl: 'http://127.0.0.1:9000', holder: 'nginx (process 7)' },
    'problem: localhost:8440 is in use by nginx (process 7).',
  ],
  [{ refusal: 'EADDRINUSE' }, 'problem: localhost:8440 is in use by another program.'],
  [{ refusal: 'EADDRNOTAVAIL' }, 'problem: localhost is no address of this machine.'],
  [{ refusal: 'EACCES' }, 'problem: localhost:8440 cannot be used (EACCES).'],
])('a port: %j', (facts, expected) => {
  const free = { host: 'localhost', port: 8_440, refusal: null, holder: null, ownUrl: null };
  expect(told(judgePort({ ...free, ...facts }))).toEqual([expected]);
});

test('a port in use is found, with who has it where the system tells', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const facts = await portFacts('127.0.0.1', port, null);
  server.close();
  expect(facts.refusal).toBe('EADDRINUSE');
  if (process.platform === 'linux') expect(facts.holder).toContain(`(process ${process.pid})`);
});

test('only sockets that listen on the port are its holders', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:20F8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1
   1: 0100007F:20F8 0100007F:1234 01 00000000:00000000 00:00000000 00000000     0        0 222 1
   2: 0100007F:20F9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1`;
  expect(listeningSockets(table, 8_440)).toEqual(new Set(['socket:[111]']));
});

const CHROMIUM: ChromiumReport = {
  found: { path: '/usr/bin/chromium', kind: 'chrome', source: 'of the system', args: [] },
  tried: [],
  version: '150.0',
  refusal: null,
  ffmpeg: null,
};
const NONE = { found: null, version: null, tried: ['/x is not there'] };

test.each<[Partial<ChromiumReport>, string | null, string]>([
  [{}, null, 'ok: 150.0, of the system (/usr/bin/chromium).'],
  [
    { version: null, refusal: 'libx.so is missing' },
    null,
    'problem: /usr/bin/chromium, of the system, does not start: libx.so is missing',
  ],
  [NONE, null, 'warning: None was found, so browser checks end in errors: /x is not there.'],
  [NONE, '/x', 'problem: /x is not there, as WATCHPOST_CHROMIUM says.'],
])('a Chromium: %j', (report, setting, expected) => {
  expect(told(judgeChromium({ ...CHROMIUM, ...report }, setting))).toEqual([expected]);
});

test.each([
  ['/usr/bin/ffmpeg', 'ok: /usr/bin/ffmpeg makes the videos of browser checks.'],
  [null, 'warning: It is not installed: browser checks leave no videos.'],
])('an ffmpeg: %s', (found, expected) => {
  expect(told(judgeFfmpeg(found))).toEqual([expected]);
});

test.each([
  ['launch: closed\n\n[pid=1][err] started\n[pid=1][err] [ERROR] no pipe', '[ERROR] no pipe'],
  [
    'a\n[pid=1][err] /c: error while loading shared libraries: libnss3.so: none\n[err] FATAL',
    'error while loading shared libraries: libnss3.so: none',
  ],
  ['a\n  - [pid=1][err] \u001b[2mfirst\u001b[22m\n[pid=1][err] second', 'first'],
  ['launch: Timeout 20000ms exceeded.\nCall log:', 'launch: Timeout 20000ms exceeded.'],
  [`launch: ${'x'.repeat(1_000)}`, `launch: ${'x'.repeat(292)}`],
])('the reason in %j', (message, reason) => {
  expect(reasonOf(message)).toBe(reason);
});

test.each([
  ['v24.21.0', 'ok: v24.21.0, the one that Watchpost brings.'],
  ['v24.20.0', 'warning: This is v24.20.0, and Watchpost is made for v24.21.0.'],
])('Node %s', (version, expected) => {
  expect(told(judgeNode(version, '24.21.0'))).toEqual([expected]);
});

test.each<[Partial<SizeFacts>, string[]]>([
  [{}, []],
  [
    { memoryMb: 2_000, browserMemoryMb: 2_764 },
    [
      'warning: One run of a browser may use 2764 MB, more than there is: the system may kill any process before.',
    ],
  ],
  [
    { browsersAtOnce: 30 },
    [
      'warning: 30 browsers at once need about 12000 MB: some will wait for memory.',
      'warning: 30 browsers at once share 4 processors: each will be slow.',
    ],
  ],
  [{ availableMb: 100 }, ['warning: A run of a browser waits until 400 MB are available.']],
])('a machine of the size %j', (size, expected) => {
  const facts = {
    cores: 4,
    memoryMb: 8_000,
    availableMb: 4_000,
    browsersAtOnce: 4,
    browserMemoryMb: 2_764,
  };
  const [first, ...others] = told(judgeSize({ ...facts, ...size }));
  expect(first).toMatch(/^ok: 4 processors, /);
  expect(others).toEqual(expected);
});

const NOON = Date.UTC(2026, 0, 15, 12);

test.each([
  [{}, 'ok: It is 2026-01-15T12:00:00.000Z.'],
  [{ lastWrittenAt: NOON + 60_000, isSynchronised: true }, 'ok: It is 2026-01-15T12:00:00.000Z.'],
  [
    { lastWrittenAt: NOON + 60_001 },
    'problem: It is 2026-01-15T12:00:00.000Z here, but the data folder was written at 2026-01-15T12:01:00.001Z.',
  ],
  [
    { isSynchronised: false },
    'warning: It is 2026-01-15T12:00:00.000Z, and no time server keeps the clock right.',
  ],
])('a clock: %j', (facts, expected) => {
  const known = { now: NOON, lastWrittenAt: NOON - 1, isSynchronised: null };
  expect(told(judgeClock({ ...known, ...facts }))).toEqual([expected]);
});

test.each([
  [judgePing('answered'), 'ok: This machine answers itself.'],
  [judgePing('missing'), 'warning: It is not installed. ICMP checks end in errors.'],
  [judgePing('failed'), 'warning: It does not work for this user. ICMP checks end in errors.'],
  [
    judgeScriptHosts(['unshare'], 'linux'),
    'ok: They run without a network but what Watchpost gives them.',
  ],
  [
    judgeScriptHosts([], 'linux'),
    'warning: They run in isolates, but in no network namespace of their own.',
  ],
  [
    judgeScriptHosts([], 'darwin'),
    'ok: They run in isolates, but in no network namespace of their own. Only Linux has them.',
  ],
  [
    judgeBubblewrap('/usr/bin/bwrap', 'prefer', 'linux'),
    'ok: /usr/bin/bwrap works: scripts of browser checks see no file of yours.',
  ],
  [
    judgeBubblewrap(null, 'prefer', 'linux'),
    'warning: It is not installed, or does not work for this user. Scripts of browser checks can read what Watchpost can read.',
  ],
  [
    judgeBubblewrap(null, 'prefer', 'darwin'),
    'warning: Scripts of browser checks can read what Watchpost can read.',
  ],
  [
    judgeBubblewrap(null, 'require', 'linux'),
    'problem: It is not installed, or does not work for this user, and WATCHPOST_BROWSER_SANDBOX requires it: no browser check runs.',
  ],
  [
    judgeBubblewrap(null, 'off', 'linux'),
    'warning: It is turned off: scripts of browser checks see your files.',
  ],
  [
    judgeMail({ smtpHost: null, smtpPort: 587 }),
    'warning: No mail server is set: no e-mail is sent.',
  ],
  [
    judgeMail({ smtpHost: 'mail.example.com', smtpPort: 25 }),
    'ok: Mail goes through mail.example.com:25.',
  ],
])('%j', (finding, expected) => {
  expect(told(finding)).toEqual([expected]);
});

test('every warning and every problem comes with what to do', () => {
  const lines = linesOf([
    judgePing('answered'),
    judgePing('missing'),
    ...judgeDataFolder({ ...FOLDER, kind: 'other' }, null),
  ]);
  expect(lines).toEqual([
    'ok       ping: This machine answers itself.',
    'warning  ping: It is not installed. ICMP checks end in errors.',
    '         ICMP checks need it: install it (iputils-ping), with the right to send.',
    'problem  data folder: /data is not a folder.',
    '         Name another in WATCHPOST_DATA_DIR.',
    '',
    '1 problem, 1 warning.',
  ]);
  expect(linesOf([judgePing('answered')]).at(-1)).toBe('All is well.');
});
