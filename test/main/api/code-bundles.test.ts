import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CodeBundles } from '#main/services/code-bundles.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';

const UPLOAD = '/next/checkly-storage/upload-code-bundle';
const PEEK = '/next/checkly-storage/peek-code-bundle';
const DAY_MS = 24 * 60 * 60_000;

let api: Harness;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchpost-'));
  await mkdir(join(folder, 'allowed', 'shop'), { recursive: true });
  await mkdir(join(folder, 'secret'));
  api = await startApi({}, {}, { projectFolders: [join(folder, 'allowed')] });
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const ARCHIVE = gzipSync('an archive');
const SHA = createHash('sha256').update(ARCHIVE).digest('hex');
const MEBIBYTE = Buffer.alloc(1024 ** 2);
const BYTES = { 'content-type': 'application/octet-stream' };
const KEY = `code-bundles/${SHA}`;

function upload(bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  return api.call('POST', UPLOAD, { body: bytes, headers: { ...BYTES, ...headers } });
}
const createCheck = (codeBundlePath: string) =>
  api.call('POST', '/v1/checks/playwright', { body: { name: 'suite', codeBundlePath } });
const messageOf = ({ body }: Answer) => (body as { message: string }).message;
/** All files, also of archives that arrive. */
const leftOver = async () => ((await isThere()) ? readdir(api.bundlesFolder) : []);
const isThere = () =>
  access(api.bundlesFolder).then(
    () => true,
    () => false,
  );
const stored = async () => (await api.engines.bundles.list()).map(({ sha256 }) => sha256);

test('an archive is stored by its hash, is there from then on, and a check may name it', async () => {
  expect((await api.call('POST', PEEK, { body: { key: KEY } })).status).toBe(404);
  expect(messageOf(await createCheck(KEY))).toBe('codeBundlePath: no such archive was uploaded');
  const { status, body } = await upload(ARCHIVE, { 'x-bundle-checksum-sha256': SHA });
  const shown = {
    key: KEY,
    versionID: SHA,
    lastModified: new Date(NOW).toISOString(),
    contentLength: ARCHIVE.length,
    checksumSha256: SHA,
  };
  expect([status, body]).toEqual([200, shown]);
  expect((await upload(ARCHIVE)).body).toEqual(shown);
  expect((await api.call('POST', PEEK, { body: { key: KEY } })).body).toEqual(shown);
  const check = await createCheck(KEY);
  expect([check.status, check.body]).toMatchObject([201, { codeBundlePath: KEY }]);
});

test.each([
  ['no archive', Buffer.from('text'), {}, 400, 'body: expected an archive: tar.gz, tar or zip'],
  ['nothing', Buffer.alloc(0), {}, 400, 'body: expected an archive: tar.gz, tar or zip'],
  [
    'other bytes than the header says',
    ARCHIVE,
    { 'x-bundle-checksum-sha256': 'ab'.repeat(32) },
    400,
    `x-bundle-checksum-sha256: expected the hash of the body, ${SHA}`,
  ],
  [
    'a checksum that is none',
    ARCHIVE,
    { 'x-bundle-checksum-sha256': 'abc' },
    400,
    'x-bundle-checksum-sha256: expected a SHA-256 in hexadecimal',
  ],
  [
    'another type',
    ARCHIVE,
    { 'content-type': 'application/json' },
    415,
    'The body must be bytes, with the header content-type: application/octet-stream',
  ],
])('%s is refused, and nothing stays of it', async (_what, bytes, headers, status, message) => {
  const answer = await upload(bytes, headers);
  expect([answer.status, messageOf(answer)]).toEqual([status, message]);
  expect(await leftOver()).toEqual([]);
});

test('an archive that is too large is refused while it arrives, whatever length it claims', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  const statuses = Promise.withResolvers<string[]>();
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    const seen = received.match(/HTTP\/1\.1 \d+/g) ?? [];
    if (seen.length === 2) statuses.resolve(seen);
  });
  const mebibytes = Array.from({ length: 110 }, () => Buffer.concat([ARCHIVE, MEBIBYTE]));
  await pipeline(chunked(mebibytes), socket, { end: false });
  // The connection is fit for a next request.
  await pipeline(chunked([ARCHIVE]), socket, { end: false });
  expect(await statuses.promise).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  expect(await leftOver()).toEqual([SHA]);
  socket.destroy();
});

/** An upload on the wire, of a length that its head does not say. */
function* chunked(chunks: Iterable<Uint8Array>): Generator<string | Uint8Array> {
  const head = [
    `POST ${UPLOAD} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${api.key}`,
    'content-type: application/octet-stream',
    'transfer-encoding: chunked',
  ];
  yield `${head.join('\r\n')}\r\n\r\n`;
  for (const chunk of chunks) {
    yield `${chunk.byteLength.toString(16)}\r\n`;
    yield chunk;
    yield '\r\n';
  }
  yield '0\r\n\r\n';
}

test('a claimed length over the bound is refused at once', async () => {
  const outcome = Promise.withResolvers<number | undefined>();
  const headers = {
    authorization: `Bearer ${api.key}`,
    'content-type': 'application/octet-stream',
    'content-length': String(101 * 1024 ** 2),
  };
  const sent = request(api.url + UPLOAD, { method: 'POST', headers });
  sent.on('response', (response) => outcome.resolve(response.statusCode)).on('error', () => {});
  sent.flushHeaders();
  expect(await outcome.promise).toBe(413);
  sent.destroy();
});

test('an upload that is cut off leaves nothing', async () => {
  const headers = {
    authorization: `Bearer ${api.key}`,
    'content-type': 'application/octet-stream',
    'content-length': '1000000',
  };
  const sent = request(api.url + UPLOAD, { method: 'POST', headers });
  const closed = new Promise((resolve) => sent.on('close', resolve).on('error', () => {}));
  sent.write(ARCHIVE, () => sent.destroy());
  await closed;
  await expect.poll(leftOver).toEqual([]);
});

test('an archive goes a day after it was named last, and never while a check names it', async () => {
  const service = new CodeBundles(api.engines);
  await upload(ARCHIVE);
  const check = (await createCheck(KEY)).body as { id: string };
  await api.clock.advance(3 * DAY_MS);
  await service.sweep();
  expect(await stored()).toEqual([SHA]);
  await api.call('POST', PEEK, { body: { key: KEY } });
  await api.call('DELETE', `/v1/checks/${check.id}`);
  await api.clock.advance(DAY_MS - 1_000);
  await service.sweep();
  expect(await stored()).toEqual([SHA]);
  await api.clock.advance(2_000);
  await service.sweep();
  expect(await stored()).toEqual([]);
});

test('a folder may be a project where the operator allowed one above it', async () => {
  for (const path of ['allowed/shop', 'allowed']) {
    expect((await createCheck(`file://${join(folder, path)}`)).status).toBe(201);
    expect((await createCheck(join(folder, path))).status).toBe(201);
  }
});

test.each([
  ['secret'],
  ['allowed/../secret'],
  ['allowed/nowhere'],
  ['allowed/link'],
  ['allowed-not'],
  [''],
])('a folder outside of them, as %s, is refused', async (path) => {
  await mkdir(join(folder, 'allowed-not'));
  await symlink(join(folder, 'secret'), join(folder, 'allowed', 'link'));
  const answer = await createCheck(`${folder}/${path}`);
  const message =
    'codeBundlePath: expected a folder that is there, in one that WATCHPOST_PLAYWRIGHT_FOLDERS names';
  expect([answer.status, messageOf(answer)]).toEqual([400, message]);
});

test('a file is no project, nor is what is no path', async () => {
  await writeFile(join(folder, 'allowed', 'a.ts'), '');
  expect(messageOf(await createCheck(join(folder, 'allowed', 'a.ts')))).toBe(
    'codeBundlePath: expected a folder, got a file',
  );
  expect(messageOf(await createCheck('shop'))).toBe(
    'codeBundlePath: expected the key of an uploaded archive, or the absolute path of a folder',
  );
});

test('what a check names already may be sent again once it is gone, and nothing else', async () => {
  await upload(ARCHIVE);
  const { id } = (await createCheck(KEY)).body as { id: string };
  await api.engines.bundles.remove(SHA);
  const change = (body: object) => api.call('PUT', `/v1/checks/playwright/${id}`, { body });
  expect((await change({ codeBundlePath: KEY, name: 'renamed' })).status).toBe(200);
  expect((await change({ codeBundlePath: join(folder, 'secret') })).status).toBe(400);
  expect((await change({ dependencies: [] })).status).toBe(200);
});
