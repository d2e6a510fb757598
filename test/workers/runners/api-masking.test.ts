import { describe, expect, test } from 'vitest';
import { createAuthority } from '../../fixtures/net/certificates.ts';
import { type FakeScript, fakeScripts, setup, teardown } from '../../fixtures/net/fake-scripts.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

/**
 * Every form in which the value of a secret variable comes back, at every place of a result where
 * it could be read. What a result says is all that alerts and notifications are made of.
 */

const SECRET = 'Pin+Q7/"Key"&<x>';
const NUMBER = '48151623';
const JSON_TYPE = { 'content-type': 'application/json' };

type Run = Awaited<ReturnType<typeof runApiCheck>>;

/** All that leaves the runner, in one text: the detail is JSON in it. */
const kept = ({ api, ...result }: Run) => JSON.stringify({ ...result, detail: '' }) + result.detail;
const inHeader = (text: string) => Buffer.from(text).toString('latin1');

/** Where the target, or a script, can put a text. */
const PLACES: Record<string, (text: string) => Promise<Run>> = {
  'in a body': (text) => answering(response(`<${text}>`, { 'content-type': 'text/plain' })),
  'in a header': (text) => answering(response('', { 'x-back': inHeader(text) })),
  'in the reason of a status': (text) => answering(response('', {}, `500 ${inHeader(text)}`)),
  'as the value that an assertion saw': (text) =>
    answering(response(text, { 'content-type': 'text/plain' }), {
      assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'x' }],
    }),
  'as what an assertion wants': (text) =>
    answering(response('', {}), {
      assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: `is ${text}` }],
    }),
  'in a redirect': (text) =>
    answering(response('', { location: `http://127.0.0.1:1/${inHeader(text)}` }, '302 X')),
  'in the log of a script': (text) =>
    scripted(({ log }) => void log.push({ time: 1, level: 'INFO', msg: `said ${text}` })),
  'in the error of a script': (text) =>
    scripted(() => ({ kind: 'thrown', message: `no ${text}`, line: 1, column: null })),
  'in the URL': (text) => answering(response('')).then(() => asking(`/${text}`)),
  'in the request body': (text) => asking('/', { method: 'POST', bodyType: 'RAW', body: text }),
};

async function answering(answer: Buffer | string, request: object = {}): Promise<Run> {
  await using server = await startRawServer(() => answer as never);
  return await runApiCheck({ url: `http://${server.authority}/`, ...request }, { scope: SCOPE });
}

async function asking(path: string, request: object = {}): Promise<Run> {
  await using server = await startRawServer(() => response(''));
  return await runApiCheck(
    { url: `http://${server.authority}${path}`, ...request },
    { scope: SCOPE },
  );
}

async function scripted(script: FakeScript): Promise<Run> {
  await using server = await startRawServer(() => response(''));
  const scripts = fakeScripts({ it: script });
  const scope = { ...SCOPE, setup: setup('it') };
  return await runApiCheck({ url: `http://${server.authority}/` }, { scripts, scope });
}

const SCOPE = { secrets: [SECRET, NUMBER] };

const FORMS: [string, string][] = [
  ['as it is', SECRET],
  ['in lower case', SECRET.toLowerCase()],
  ['in upper case', SECRET.toUpperCase()],
  ['in base64', Buffer.from(SECRET).toString('base64').slice(0, -2)],
  ['in base64 after a user', Buffer.from(`me:${SECRET}`).toString('base64').slice(4, -2)],
  ['URL-encoded', encodeURIComponent(SECRET)],
  ['JSON-escaped', JSON.stringify(SECRET).slice(1, -1)],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ['as a number', NUMBER],
];

describe.each(FORMS)('a secret that comes back %s', (_form, text) => {
  test.each(Object.entries(PLACES))('is not kept %s', async (_place, run) => {
    const result = kept(await run(text));
    expect(result).not.toContain(text);
    expect(result).not.toContain(JSON.stringify(text).slice(1, -1));
    expect(result).toContain('***');
  });
});

describe('a secret number', () => {
  test.each([
    ['$.pin', '***'],
    ['$', { pin: '***', deep: [{ pins: ['***', 7] }], ok: true }],
    ['$..pins', ['***', 7]],
  ])('is not kept as the value of %s', async (property, actual) => {
    const body = `{"pin":${NUMBER},"deep":[{"pins":[${NUMBER},7]}],"ok":true}`;
    const assertions = [{ source: 'JSON_BODY', property, comparison: 'EQUALS', target: 'x' }];
    const result = await answering(response(body, JSON_TYPE), { assertions });
    expect(result.failure?.cause).toBe('ASSERTION');
    expect(result.api.assertions[0]?.actual).toEqual(actual);
    expect(kept(result)).not.toContain(NUMBER);
  });

  test.each([
    ['with leading zeros', '0048151623', '48151623', '48151623'],
    ['too long for a number', '12345678901234567890', '12345678901234567890', '1234567890'],
    ['that is a fraction', '48151.6230', '48151.6230', '48151.623'],
    ['that stands alone', '123', '123', ':123'],
    ['that is none but a word of JSON', 'true', 'true', 'true}'],
  ])('%s is not kept', async (_what, secret, printed, unwanted) => {
    await using server = await startRawServer(() => response(`{"pin":${printed}}`, JSON_TYPE));
    const assertions = [{ source: 'JSON_BODY', property: '', comparison: 'EQUALS', target: '{}' }];
    const result = await runApiCheck(
      { url: `http://${server.authority}/`, assertions },
      { scope: { secrets: [secret] } },
    );
    expect(result.api.assertions[0]?.actual).toEqual({ pin: '***' });
    expect(kept(result)).not.toContain(unwanted);
  });
});

describe('a secret in a name whose case is changed', () => {
  test.each([
    ['of a host', 'http://S3cret-Host.localhost:1/'],
    ['of a host that is none', 'http://S3cret-Host!/'],
    ['of a URL that is none', 'http://S3CRET-host^{{X}}/'],
  ])('%s is not kept', async (_what, url) => {
    const result = await runApiCheck({ url }, { scope: { secrets: ['S3cret-Host'] } });
    expect(result.failure).not.toBeNull();
    expect(kept(result).toLowerCase()).not.toContain('s3cret-host');
  });

  test('of the domain of a certificate is not kept', async () => {
    const authority = await createAuthority();
    const tls = await authority.issue([{ type: 'dns', value: 's3cret-host.localhost' }]);
    await using server = await startRawServer(() => response('safe'), { tls });
    const { port } = server;
    const url = `https://S3cret-Host.localhost:${port}/`;
    const scope = { secrets: ['S3cret-Host'] };
    const result = await runApiCheck({ url, skipSSL: true }, { scope });
    expect(result.certificate?.domain).toBe('***.localhost');
    expect(kept(result).toLowerCase()).not.toContain('s3cret-host');
    // It is told from another by the domain that the check watches, before it is hidden.
    for (const [sslCheckDomain, expected] of [
      ['S3CRET-host.localhost', '***.localhost'],
      ['another.localhost', undefined],
    ]) {
      const check = { sslCheckDomain };
      const watched = await runApiCheck({ url, skipSSL: true }, { scope, check });
      expect(watched.certificate?.domain).toBe(expected);
    }
  });

  test('of a header or method that a script sets is not kept', async () => {
    const result = await scriptedWith('ToKeN-Abc', ({ request, response: answer }) => {
      request.method = 'ToKeN-Abc';
      if (answer) answer.headers['X-ToKeN-Abc'] = 'v';
    });
    expect(kept(result).toLowerCase()).not.toContain('token-abc');
  });
});

async function scriptedWith(secret: string, script: FakeScript): Promise<Run> {
  await using server = await startRawServer(() => response(''));
  const scripts = fakeScripts({ it: script });
  const scope = { secrets: [secret], setup: setup('it'), teardown: teardown('it') };
  return await runApiCheck({ url: `http://${server.authority}/` }, { scripts, scope });
}

describe('a secret of forty characters that stands where a text is cut', () => {
  const long = 'Zq7-abcdefghijklmnopqrstuvwxyz0123456789';
  const part = 'zq7-';
  const upTo = (total: number) => 'x'.repeat(total - long.length + 1);
  const scope = { variables: { NO_URL: `no-url${upTo(194)}${long}` }, secrets: [long] };

  test.each([
    ['a URL that is none', '{{NO_URL}}', {}],
    ['a URL with a template left', `http://h/{{X}}${upTo(188)}${long}`, {}],
    ['a host that is none', `http://${upTo(200)}${long}!/`, {}],
    [
      'a name of a header that is none',
      'http://127.0.0.1:1/',
      { headers: [{ key: `é${upTo(99)}${long}`, value: 'x' }] },
    ],
  ])('is not kept in part: %s', async (_what, url, request) => {
    const result = await runApiCheck({ url, ...request }, { scope });
    expect(result.failure?.cause).toBe('INVALID_TARGET');
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test('is not kept in part: a content type', async () => {
    const type = `text/${upTo(195)}${long}`;
    const result = await answeringWith(response('{}', { 'content-type': type }), '$.a');
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test.each([1_024, 200])('is not kept in part: %i characters of a value', async (chars) => {
    const body = JSON.stringify({ a: `${upTo(chars)}${long}` });
    const result = await answeringWith(response(body, JSON_TYPE), '$.a');
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test.each([200, 1_024])('is not kept in part: %i characters of a list', async (chars) => {
    const body = JSON.stringify([`${upTo(chars - 2)}${long}`, upTo(2_000)]);
    const result = await answeringWith(response(body, JSON_TYPE), '');
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test('is not kept in part: a path of an assertion', async () => {
    const result = await answeringWith(response('{}', JSON_TYPE), `$.${upTo(198)}['${long}']`);
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test('is not kept in part: a line of a log, and an error as long as a script may leave', async () => {
    const lost = `${upTo(2_000)}${long}`.slice(0, 2_000);
    const scripts = fakeScripts({
      it: ({ log }) => {
        log.push({ time: 1, level: 'INFO', msg: `${upTo(2_500)}${long}` });
        return { kind: 'thrown', message: lost, line: 1, column: null };
      },
    });
    const result = await runApiCheck(
      { url: 'http://127.0.0.1:1/' },
      { scripts, scope: { ...scope, setup: setup('it') } },
    );
    expect(result.api.requestError).toContain('xxxx');
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test('is not kept in part: the body that is sent, and the one that comes back', async () => {
    const body = `${upTo(64 * 1024)}${long}`;
    await using server = await startRawServer(() => response(body));
    const result = await runApiCheck(
      { url: `http://${server.authority}/`, method: 'POST', bodyType: 'RAW', body },
      { scope },
    );
    expect(result.api.response.truncated).toBe(true);
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  test.each([
    ['the URL', 1024 * 1024 - 'http://h/'.length, { url: 'http://h/{{BIG}}' }],
    ['a query parameter', 1024 * 1024, { queryParameters: [{ key: 'q', value: '{{BIG}}' }] }],
    [
      'what an assertion wants',
      64_000,
      { assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: '{{BIG}}' }] },
    ],
  ])('is not kept in part where %s grew too large', async (_what, chars, request) => {
    await using server = await startRawServer(() => response());
    const variables = { BIG: `${upTo(chars)}${long}${upTo(2_000)}` };
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ url, ...request }, { scope: { ...scope, variables } });
    expect(result.failure).not.toBeNull();
    expect(kept(result).toLowerCase()).not.toContain(part);
  });

  async function answeringWith(answer: ReturnType<typeof response>, property: string) {
    await using server = await startRawServer(() => answer);
    const assertions = [{ source: 'JSON_BODY', property, comparison: 'EQUALS', target: 'x' }];
    return await runApiCheck({ url: `http://${server.authority}/`, assertions }, { scope });
  }
});

describe('what scripts make secret by its name is not kept', () => {
  const url = 'http://127.0.0.1:1/';

  test('where teardown makes it', async () => {
    await using server = await startRawServer(() => response('session-of-teardown'));
    const scripts = fakeScripts({
      it: ({ env, log }) => {
        env.CHECKLY_SECRET_SESSION = 'session-of-teardown';
        log.push({ time: 1, level: 'INFO', msg: 'got session-of-teardown' });
      },
    });
    const result = await runApiCheck(
      { url: `http://${server.authority}/` },
      { scripts, scope: { teardown: teardown('it') } },
    );
    expect(result.api.response.body).toBe('***');
    expect(kept(result)).not.toContain('session-of');
  });

  test('where a later script writes over it', async () => {
    const scripts = fakeScripts({
      one: ({ env, log }) => {
        env.CHECKLY_SECRET_T = 'first-token';
        log.push({ time: 1, level: 'INFO', msg: 'first-token' });
      },
      two: ({ env }) => void delete env.CHECKLY_SECRET_T,
    });
    const result = await runApiCheck({ url }, { scripts, scope: { setup: setup('one', 'two') } });
    expect(kept(result)).not.toContain('first-token');
  });
});
