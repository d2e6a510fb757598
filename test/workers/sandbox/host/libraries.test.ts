import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, test } from 'vitest';
import {
  SCRIPT_LIBRARIES,
  UNAVAILABLE_BUILT_INS,
  UNAVAILABLE_LIBRARIES,
} from '#shared/sandbox/libraries.ts';
import { readBundle, requiredLibraries } from '#workers/sandbox/host/libraries.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../../../fixtures/scripts.ts';
import { LIBRARY_USES } from './library-uses.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

const run = (code: string, runtimeId = '2025.04') => host.run(setupTask(code, { runtimeId }));
/** Runs a script that leaves the value of an expression in the body. */
const found = async (expression: string, runtimeId?: string) => {
  const { request, error } = await run(`request.body = String(await (${expression}))`, runtimeId);
  expect(error).toBeNull();
  return request.body;
};

test('every library has a use here', () => {
  expect(Object.keys(LIBRARY_USES).sort()).toEqual(Object.keys(SCRIPT_LIBRARIES).sort());
});

/** Every version of every library, in the newest runtime that has it. */
const VERSIONS = Object.entries(SCRIPT_LIBRARIES).flatMap(([name, versions]) =>
  versions.map(({ version, to }): [string, string, string] => [name, version, to]),
);

test.each(VERSIONS)('%s %s works in a script of %s', async (name, _version, runtimeId) => {
  const [expression = '', value = ''] = LIBRARY_USES[name] ?? [];
  const body = await found(expression, runtimeId);
  if (typeof value === 'string') expect(body).toBe(value);
  else expect(body).toMatch(value);
});

test.each([
  [`generateKeyPair('RS256')`, 'The algorithm RSASSA-PKCS1-v1_5'],
  [`importSPKI('-----BEGIN PUBLIC KEY-----AAAA', 'ES256')`, 'The algorithm ECDSA'],
  [
    `EncryptJWT({}).setProtectedHeader({ alg: 'dir', enc: 'A128GCM' }).encrypt(new Uint8Array(16))`,
    'The algorithm AES-GCM',
  ],
])('jose refuses by name what needs more than HMAC: %s', async (call, what) => {
  const made = call.startsWith('Encrypt') ? 'new jose' : 'jose';
  const { error } = await run(`const jose = require('jose'); await ${made}.${call}`);
  expect(error?.message).toBe(`${what} is not available in scripts (docs/guide/scripts.md)`);
});

test.each([
  [`require('dotenv').config({ path: '/etc/passwd' }).error.code`, 'ENOENT'],
  [`JSON.stringify(require('dotenv').config({ path: '/etc/passwd' }).parsed)`, '{}'],
  [`typeof require('protobufjs').util.fs?.readFileSync`, 'undefined'],
])('a library finds no file: %s', async (expression, value) => {
  expect(await found(expression)).toBe(value);
});

test('a library is the same on its second require', async () => {
  expect(await found(`require('lodash') === require('lodash')`)).toBe('true');
});

test('a library leaves nothing to the next run', async () => {
  await run(`require('lodash').leak = 1; require('moment').locale('xx'); globalThis.leak = 1`);
  expect(await found(`typeof require('lodash').leak + typeof leak + typeof _`)).toBe(
    'undefinedundefinedundefined',
  );
});

test.each([...UNAVAILABLE_LIBRARIES, ...UNAVAILABLE_BUILT_INS.map((name) => `node:${name}`)])(
  '%s is refused by its name',
  async (name) => {
    const { error } = await run(`require(${JSON.stringify(name)})`);
    expect(error?.message).toBe(
      `"${name}" is not available in setup and teardown scripts of Watchpost (docs/guide/scripts.md)`,
    );
  },
);

test('the guide names every library and built-in module that is missing', () => {
  const guide = readFileSync(new URL('../../../../docs/guide/scripts.md', import.meta.url), 'utf8');
  for (const name of [...UNAVAILABLE_LIBRARIES, ...UNAVAILABLE_BUILT_INS]) {
    expect(guide).toContain(`\`${name}\``);
  }
});

test('a missing function of crypto is refused by its name', async () => {
  const { error } = await run(`require('crypto').generateKeyPairSync('rsa', {})`);
  expect(error?.message).toContain('crypto.generateKeyPairSync is not available');
});

test('a library whose name is made up at run time is found too', async () => {
  expect(await found(`require('lod' + 'ash').chunk([1, 2], 1).length`)).toBe('2');
});

test.each([
  [`const a = require('lodash'), b = require( "zod" )`, ['lodash', 'zod']],
  [`require('chai'); require('uuid')`, ['uuid']],
  ['require(`moment`); require("moment")', ['moment']],
  [`require('fs'); require('axios'); require('./snippets/lodash.js')`, []],
  [`required('lodash'); require(lodash)`, []],
])('the libraries that %j names', (code, names) => {
  expect(requiredLibraries([code], '2025.04').map(({ name }) => name)).toEqual(names);
});

test('every bundled library has its code cache', () => {
  for (const { entry } of Object.values(SCRIPT_LIBRARIES).flat()) {
    if (entry !== null) expect(readBundle(entry).cache?.length).toBeGreaterThan(1_000);
  }
});

test.each([
  [
    'googleapis',
    '"googleapis" is not available in setup and teardown scripts of Watchpost (docs/guide/scripts.md)',
  ],
  ['left-pad', 'Cannot require "left-pad": the runtime 2025.04 has util'],
  ['../../package.json', 'Cannot require "../../package.json"'],
  ['constructor', 'Cannot require "constructor"'],
])('require of %s says so by name', async (name, message) => {
  const { error } = await run(`require('${name}')`);
  expect(error?.message).toContain(message);
  expect(error).toMatchObject({ kind: 'thrown', line: 1 });
});

const KEYS = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
const pemOf = (key: KeyObject) =>
  key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString();

describe('jsonwebtoken', () => {
  const KNOWN =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';

  test('verifies a token made elsewhere', async () => {
    expect(
      await found(`require('jsonwebtoken').verify('${KNOWN}', 'your-256-bit-secret').name`),
    ).toBe('John Doe');
  });

  test.each(['HS256', 'HS384', 'HS512'])('signs with %s', async (algorithm) => {
    const expression = `(() => { const jwt = require('jsonwebtoken');
      const token = jwt.sign({ a: 1 }, 'key', { algorithm: '${algorithm}', issuer: 'me', keyid: 'k' });
      const { header, payload } = jwt.decode(token, { complete: true });
      return [header.alg, header.kid, payload.iss, jwt.verify(token, 'key', { issuer: 'me' }).a] })()`;
    expect(await found(expression)).toBe(`${algorithm},k,me,1`);
  });

  test.each([
    ['RS256', 'rsa'],
    ['PS512', 'rsa'],
    ['ES256', 'ec'],
  ] as const)(
    'signs with %s as Node verifies it, and verifies what was not changed',
    async (alg, kind) => {
      const { publicKey, privateKey } = KEYS[kind];
      const env = { PRIVATE: pemOf(privateKey), PUBLIC: pemOf(publicKey) };
      const code = `const jwt = require('jsonwebtoken');
      const token = jwt.sign({ sub: 'probe' }, process.env.PRIVATE, { algorithm: '${alg}' });
      const { sub } = jwt.verify(token, process.env.PUBLIC);
      const [head, , signature] = token.split('.');
      const forged = [head, Buffer.from('{"sub":"root"}').toString('base64url'), signature].join('.');
      try { jwt.verify(forged, process.env.PUBLIC) } catch ({ message }) { request.headers.refusal = message }
      request.headers.sub = sub; request.body = token`;
      const { request, error } = await host.run(setupTask(code, { env }));
      expect(error).toBeNull();
      expect(request.headers).toMatchObject({ sub: 'probe', refusal: 'invalid signature' });
      const { verify } = createRequire(import.meta.url)('jsonwebtoken');
      expect(verify(request.body, publicKey, { algorithms: [alg] })).toMatchObject({
        sub: 'probe',
      });
    },
  );

  test.each([
    ['another key', `verify(sign({}, 'a'), 'b')`, 'JsonWebTokenError: invalid signature'],
    [
      'an expired token',
      `verify(sign({}, 'a', { expiresIn: -1 }), 'a')`,
      'TokenExpiredError: jwt expired',
    ],
    [
      'a token for later',
      `verify(sign({}, 'a', { notBefore: '1h' }), 'a')`,
      'NotBeforeError: jwt not active',
    ],
    [
      'another audience',
      `verify(sign({ aud: 'x' }, 'a'), 'a', { audience: 'y' })`,
      'jwt audience invalid',
    ],
    [
      'another algorithm',
      `verify(sign({}, 'a'), 'a', { algorithms: ['HS512'] })`,
      'invalid algorithm',
    ],
    ['no signature', `verify('eyJhbGciOiJub25lIn0.e30.', 'a')`, 'jwt signature is required'],
    ['no token', `verify('x', 'a')`, 'jwt malformed'],
    [
      'RS256 without a key for it',
      `sign({}, 'a', { algorithm: 'RS256' })`,
      'secretOrPrivateKey must be an asymmetric key',
    ],
  ])('refuses %s', async (_case, call, message) => {
    const { error } = await run(`const { sign, verify } = require('jsonwebtoken'); ${call}`);
    expect(error?.message).toContain(message);
  });
});
