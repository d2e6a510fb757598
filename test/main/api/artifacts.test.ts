import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARTIFACTS_FOLDER } from '#main/store/artifacts/artifact-files.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { artifactPath, type RunArtifact } from '#shared/artifacts/artifact.ts';
import type { AssetManifest } from '#shared/artifacts/asset-manifest.ts';
import { ACCOUNT_ID, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeArtifact } from '../store/artifact-records.ts';
import { makeResult } from '../store/records.ts';
import { makeTestResult, makeTestSession } from '../store/session-records.ts';

const HOUR = 3_600_000;
const check = makeCheck('BROWSER', { name: 'Shop' });
const HTML = '<script>alert(1)</script>';

const PICTURE = makeArtifact({ name: 'a.png', content: 'a picture of some bytes' });
const TRACE = makeArtifact({
  type: 'trace',
  name: 'traces/one.zip',
  contentType: 'application/zip',
});
const PAGE = makeArtifact({
  type: 'report',
  name: 'report/index.html',
  contentType: 'text/html',
  content: HTML,
});
const DATA = makeArtifact({ type: 'report', name: 'report/data/b.png' });
const HOSTILE = makeArtifact({
  type: 'file',
  name: `x "y';\nset-cookie: a=b <b>日本.html`,
  contentType: 'text/html',
  content: HTML,
});
const ARTIFACTS = [PICTURE, TRACE, PAGE, DATA, HOSTILE];

const detail = JSON.stringify({
  browserCheckResult: {
    type: 'PLAYWRIGHT',
    jobAssets: ['a.png', 'lost.png'],
    playwrightTestTraces: ['traces/one.zip'],
    playwrightTestVideos: [],
  },
});
const kept = {
  ...makeResult({
    checkId: check.id,
    checkType: 'BROWSER',
    createdAt: NOW - 60_000,
    detail,
    metrics: {},
  }),
  artifacts: ARTIFACTS,
};
const { id: resultId, runLocation } = kept.result;
const session = makeTestSession();
const testResult = makeTestResult({
  checkId: check.id,
  checkType: 'BROWSER',
  name: 'Shop',
  resultType: 'FINAL',
  status: 'FAILED',
});

let api: Harness;
const contentOf = ({ name }: RunArtifact) =>
  ({ [PICTURE.name]: 'a picture of some bytes', [PAGE.name]: HTML, [HOSTILE.name]: HTML })[name] ??
  name;
beforeAll(async () => {
  api = await startApi();
  await api.configuration.checks.put(check);
  const records: HistoryRecords = {
    results: [kept],
    testSessions: [session],
    testResults: [
      { sessionId: session.id, result: testResult, detail, artifacts: [PICTURE, TRACE] },
    ],
  };
  await api.history.write(records);
  for (const artifact of ARTIFACTS) {
    const path = join(api.dataFolder, ARTIFACTS_FOLDER, artifactPath(artifact.sha256));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contentOf(artifact));
  }
});
afterAll(() => api.close());

const ofCheck = `/v1/check-results/${check.id}/${resultId}/assets`;
const ofTest = `/v1/test-sessions/${session.id}/results/${testResult.id}/assets`;
const manifest = async (path: string) => (await api.call('GET', path)).body as AssetManifest;
const names = ({ assets }: AssetManifest) => assets.map(({ name }) => name);
const urlOf = async (name: string) =>
  (await manifest(ofCheck)).assets.find((asset) => asset.name === name)?.url ?? '';

describe('the manifest', () => {
  test('of a check result names all that it left', async () => {
    const body = await manifest(ofCheck);
    expect(names(body)).toEqual(ARTIFACTS.map(({ name }) => name));
    expect(body).toMatchObject({ truncated: false, entriesReturned: 5, entriesTotal: 5 });
    expect(body.assets[1]).toEqual({
      type: 'trace',
      name: 'traces/one.zip',
      url: expect.stringMatching(
        new RegExp(`^${api.url}/artifacts/[\\w-]{95}[\\w-]*/traces/one\\.zip$`),
      ),
      contentType: 'application/zip',
      source: {
        type: 'check-result',
        checkId: check.id,
        checkName: 'Shop',
        checkType: 'BROWSER',
        resultId,
      },
    });
  });

  test('of a result of a test session says of which', async () => {
    const body = await manifest(ofTest);
    expect(names(body)).toEqual(['a.png', 'traces/one.zip']);
    expect(body.assets[0]?.source).toEqual({
      type: 'test-session-result',
      checkId: check.id,
      checkName: 'Shop',
      checkType: 'BROWSER',
      resultId: testResult.id,
      testSessionId: session.id,
    });
    const answer = await fetch(body.assets[0]?.url ?? '');
    expect(await answer.text()).toBe(contentOf(PICTURE));
  });

  test.each([
    ['type=trace', ['traces/one.zip']],
    ['type[]=trace&type[]=screenshot', ['a.png', 'traces/one.zip', 'report/data/b.png']],
    ['type=trace,report', ['traces/one.zip', 'report/index.html']],
    ['type=pcap', []],
    ['name=*.png', ['a.png', 'report/data/b.png']],
    ['name=report/*', ['report/index.html']],
    ['name=report/**', ['report/index.html', 'report/data/b.png']],
    ['type=screenshot&name=report/**', ['report/data/b.png']],
    [`name=${encodeURIComponent('*'.repeat(200))}`, ARTIFACTS.map(({ name }) => name)],
  ])('asked for with %s has %j', async (query, expected) => {
    DATA.type = 'screenshot';
    const body = await manifest(`${ofCheck}?${query}`);
    DATA.type = 'report';
    expect(names(body)).toEqual(expected);
    expect(body).toMatchObject({ entriesTotal: expected.length, truncated: false });
  });

  test('of very much lists the first of it, and says so', async () => {
    const many = Array.from({ length: 700 }, (_, index) => makeArtifact({ name: `${index}` }));
    const result = makeResult({ checkId: check.id, createdAt: NOW - 5_000, slot: null });
    await api.history.write({ results: [{ ...result, artifacts: many }] });
    const body = await manifest(`/v1/check-results/${check.id}/${result.result.id}/assets`);
    expect(body.assets).toHaveLength(500);
    expect(body).toMatchObject({ truncated: true, entriesReturned: 500, entriesTotal: 700 });
  });

  test.each([
    [`type=picture`, 'type'],
    [`name=${'a'.repeat(201)}`, 'name'],
  ])('asked for with %s is refused', async (query, member) => {
    const answer = await api.call('GET', `${ofCheck}?${query}`);
    expect(answer.status).toBe(400);
    expect((answer.body as { message: string }).message).toContain(member);
  });

  test('of what is not there is a 404', async () => {
    for (const path of [
      `/v1/check-results/${check.id}/${randomUUID()}/assets`,
      `/v1/check-results/${randomUUID()}/${resultId}/assets`,
      `/v1/test-sessions/${session.id}/results/${randomUUID()}/assets`,
    ]) {
      expect((await api.call('GET', path)).status).toBe(404);
    }
  });
});

describe('results', () => {
  const linked = {
    type: 'PLAYWRIGHT',
    // Nothing is kept under the other name.
    jobAssets: [expect.stringMatching(/^http:\/\/127.*\/artifacts\/[\w-]+\/a\.png$/)],
    playwrightTestTraces: [expect.stringMatching(/\/artifacts\/[\w-]+\/traces\/one\.zip$/)],
    playwrightTestVideos: [],
    traceViewerUrls: [
      expect.stringMatching(/\/trace-viewer\/index\.html\?trace=http%3A%2F%2F127\S+one\.zip$/),
    ],
  };

  test.each([
    [`/v1/check-results/${check.id}`, (body: never[]) => body.at(-1)],
    [`/v2/check-results/${check.id}`, ({ entries }: { entries: never[] }) => entries.at(-1)],
    [
      `/v2/check-results/${check.id}?fields=browserCheckResult`,
      ({ entries }: { entries: never[] }) => entries.at(-1),
    ],
    [`/v1/check-results/${check.id}/${resultId}`, (body: never) => body],
    [`/v1/test-sessions/${session.id}/results/${testResult.id}`, (body: never) => body],
  ])('%s show links in the place of names', async (path, oneOf) => {
    const { body } = await api.call('GET', path);
    const one = oneOf(body as never) as unknown as { browserCheckResult: typeof linked };
    expect(one.browserCheckResult).toEqual(linked);
    const [url = ''] = one.browserCheckResult.jobAssets;
    expect(await (await fetch(url)).text()).toBe(contentOf(PICTURE));
  });
});

describe('a link', () => {
  test('opens without a key, and shows what a browser may show', async () => {
    const answer = await fetch(await urlOf('a.png'));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(contentOf(PICTURE));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(contentOf(PICTURE).length),
      'content-disposition': `inline; filename="a.png"; filename*=UTF-8''a.png`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  test('to a page of a report runs its scripts in an origin of their own, and leads to its files', async () => {
    const url = await urlOf('report/index.html');
    const answer = await fetch(url);
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts /);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const other = await fetch(new URL('data/b.png', url), { headers: { origin: 'null' } });
    expect(other.status).toBe(200);
    expect(other.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('to anything else is a download, however hostile its name', async () => {
    const answer = await fetch(await urlOf(HOSTILE.name));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="x _y'__set-cookie: a=b <b>__\.html"; filename\*=UTF-8''x%20%22/,
    );
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  test('to the viewer that a report brings leads to ours', async () => {
    const url = (await urlOf('report/index.html')).replace('index.html', 'trace/index.html');
    const query = 'trace=http%3A%2F%2Fw.test%2Fa.zip&trace=b';
    const answer = await fetch(`${url}?${query}`, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`/trace-viewer/index.html?${query}`);
    expect((await fetch(url)).status).toBe(404);
  });

  test.each(['script', 'serviceworker', 'worker', 'sharedworker'])(
    'is no %s of a page of ours',
    async (dest) => {
      const url = await urlOf('report/index.html');
      const from = (site: string) =>
        fetch(url, { headers: { 'sec-fetch-dest': dest, 'sec-fetch-site': site } });
      expect((await from('same-origin')).status).toBe(404);
      expect((await from('cross-site')).status).toBe(200);
    },
  );

  test('answers the part that is asked for', async () => {
    const url = await urlOf('a.png');
    const part = await fetch(url, { headers: { range: 'bytes=2-8' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe('bytes 2-8/23');
    expect(await part.text()).toBe('picture');
    const end = await fetch(url, { headers: { range: 'bytes=-5' } });
    expect(await end.text()).toBe('bytes');
    const none = await fetch(url, { headers: { range: 'bytes=100-' } });
    expect(none.status).toBe(416);
    expect(none.headers.get('content-range')).toBe('bytes */23');
    expect(await none.text()).toBe('');
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('23');
  });

  test('ends, and then answers as any that never was', async () => {
    const url = await urlOf('a.png');
    const token = url.split('/').at(-2) ?? '';
    const others = [
      url.replace('a.png', 'b.png'),
      url.replace(token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      url.replace(token, 'x'),
    ];
    api.clock.jump(13 * HOUR);
    const answers = await Promise.all([url, ...others].map((one) => fetch(one)));
    api.clock.jump(-13 * HOUR);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]?.headers.get('content-type')).toMatch(/^application\/json/);
    expect((await fetch(url)).status).toBe(200);
  });

  test.each([
    '..%2f..%2fkeys.json',
    '../../keys.json',
    '%2e%2e/%2e%2e/keys.json',
    'a.png/..',
    '%00',
    'a.png%00',
    '%F0%9F%91%8D',
    'x'.repeat(5_000),
  ])('with %s in the place of the name leads nowhere', async (name) => {
    const base = (await urlOf('a.png')).replace('a.png', '');
    expect(await rawStatus(base + name)).toBe(404);
  });

  test('to a file that is gone is a 404 without what it would have been', async () => {
    const lost = makeArtifact({ name: 'lost', content: 'never written' });
    const result = makeResult({ checkId: check.id, createdAt: NOW - 7_000, slot: null });
    await api.history.write({ results: [{ ...result, artifacts: [lost] }] });
    const { assets } = await manifest(`/v1/check-results/${check.id}/${result.result.id}/assets`);
    const answer = await fetch(assets[0]?.url ?? '');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.json()).toMatchObject({ statusCode: 404 });
  });

  test('is no link any more once the check is gone', async () => {
    const other = makeCheck('BROWSER', { id: randomUUID() });
    await api.configuration.checks.put(other);
    const result = makeResult({ checkId: other.id, createdAt: NOW - 7_000 });
    await api.history.write({ results: [{ ...result, artifacts: [PICTURE] }] });
    const { assets } = await manifest(`/v1/check-results/${other.id}/${result.result.id}/assets`);
    expect((await fetch(assets[0]?.url ?? '')).status).toBe(200);
    expect((await api.call('DELETE', `/v1/checks/${other.id}`)).status).toBe(204);
    await api.history.forget(other.id);
    expect((await fetch(assets[0]?.url ?? '')).status).toBe(404);
  });
});

test('many readers at once are served a part, the others asked to come again', async () => {
  const big = makeArtifact({ name: 'big', content: 'big', contentType: 'application/zip' });
  const path = join(api.dataFolder, ARTIFACTS_FOLDER, artifactPath(big.sha256));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(20_000_000));
  const result = makeResult({ checkId: check.id, createdAt: NOW - 8_000, slot: null });
  await api.history.write({ results: [{ ...result, artifacts: [big] }] });
  const { assets } = await manifest(`/v1/check-results/${check.id}/${result.result.id}/assets`);
  const url = assets[0]?.url ?? '';
  // They take the head of the answer and nothing else.
  const readers = await Promise.all(Array.from({ length: 70 }, () => slowReader(url)));
  const refused = readers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(6);
  expect(refused[0]?.retryAfter).toBe('1');
  for (const reader of readers) reader.hangUp();
  await expect.poll(async () => (await fetch(url, { method: 'HEAD' })).status).toBe(200);
  rmSync(path);
});

describe('an artifact by the moment of its run', () => {
  const at = (part: Partial<Record<'region' | 'account' | 'check' | 'time' | 'file', string>>) => {
    const { region = runLocation, account = ACCOUNT_ID, check: checkId = check.id } = part;
    const { time = String(NOW - 60_000), file = 'a.png' } = part;
    return `/v1/assets/checkRunData/${region}/${account}/${checkId}/${time}/${file}`;
  };

  test('is answered to whoever has a key', async () => {
    const answer = await api.call('GET', at({}));
    expect(answer.body).toBe(contentOf(PICTURE));
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/);
    const nested = await api.call('GET', at({ file: encodeURIComponent('report/index.html') }));
    expect(nested.body).toBe(HTML);
    expect((await api.call('GET', at({}), { key: null })).status).toBe(401);
  });

  test('is a 404 where nothing is, and a 403 for another account', async () => {
    expect((await api.call('GET', at({ time: '1' }))).status).toBe(404);
    expect((await api.call('GET', at({ region: 'nowhere' }))).status).toBe(404);
    expect((await api.call('GET', at({ file: '..%2F..%2Fkeys.json' }))).status).toBe(404);
    expect((await api.call('GET', at({ check: randomUUID() }))).status).toBe(404);
    expect((await api.call('GET', at({ account: randomUUID() }))).status).toBe(403);
  });
});

/** The status of a path that is sent as it is written. */
function rawStatus(url: string): Promise<number> {
  const { host, hostname, port } = new URL(url);
  const path = url.slice(url.indexOf(host) + host.length);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.on('error', reject).end();
  });
}

/** A client that reads nothing but the head. */
function slowReader(url: string) {
  return new Promise<{ status: number; retryAfter: unknown; hangUp(): void }>((resolve, reject) => {
    const call = request(url, { agent: false }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      answer.on('error', () => {});
      resolve({ status, retryAfter: headers['retry-after'], hangUp: () => call.destroy() });
    });
    call.on('error', reject).end();
  });
}

test('the viewer of traces has files, and no folders', async () => {
  const statusOf = async (path: string) =>
    (await api.call('GET', `/trace-viewer/${path}`, { key: null })).status;
  expect(await statusOf('index.html')).toBe(200);
  expect(await statusOf('assets')).toBe(404);
});
