import * as crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../../../fixtures/scripts.ts';
import { GIVEN, SAME } from './node-modules.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

const run = (code: string, env: Record<string, string> = {}) =>
  host.run(setupTask(`${GIVEN}\n${code}`, { env }));
/** The value of an expression in a script, as a text. */
const inScript = async (expression: string, env?: Record<string, string>) => {
  const { request, error } = await run(`request.body = String(await (${expression}))`, env);
  expect(error).toBeNull();
  return request.body;
};
/** The value of the same expression in Node. */
const inNode = async (expression: string, env: Record<string, string> = {}): Promise<string> => {
  const evaluate = new Function('require', 'process', `${GIVEN}\nreturn (${expression})`);
  return String(await evaluate(createRequire(import.meta.url), { env }));
};

test.each(SAME)('a script has of %s what Node has', async (_name, expression) => {
  const body = await inScript(expression);
  expect(body).toBe(await inNode(expression));
  expect(body).not.toBe('');
});

/** Both halves of a key pair in PEM. */
const pem = ({ publicKey, privateKey }: crypto.KeyPairKeyObjectResult) => ({
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const makeEc = () => pem(crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const KEYS = {
  rsa: pem(crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })),
  ec: makeEc(),
  ed25519: pem(crypto.generateKeyPairSync('ed25519')),
};
const env = (kind: keyof typeof KEYS) => ({
  PRIVATE: KEYS[kind].privateKey,
  PUBLIC: KEYS[kind].publicKey,
});
const asKey = (options: string) => `{ key: process.env.PRIVATE, ${options} }`;

describe('a signature', () => {
  test.each([
    [
      'rsa',
      `crypto.createSign('RSA-SHA256').update(TEXT).update('b').sign(process.env.PRIVATE, 'base64')`,
    ],
    ['rsa', `hex(crypto.sign('sha512', Buffer.from(TEXT), process.env.PRIVATE))`],
    [
      'rsa',
      `hex(crypto.createSign('sha1').update(TEXT).sign(crypto.createPrivateKey(process.env.PRIVATE)))`,
    ],
    ['rsa', `hex(crypto.privateEncrypt(process.env.PRIVATE, Buffer.from('short')))`],
    ['ed25519', `hex(crypto.sign(null, Buffer.from(TEXT), process.env.PRIVATE))`],
  ] as const)('of %s is the one that Node makes: %s', async (kind, expression) => {
    expect(await inScript(expression, env(kind))).toBe(await inNode(expression, env(kind)));
  });

  test.each([
    ['rsa', 'process.env.PRIVATE', {}],
    [
      'rsa',
      asKey('padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32'),
      { padding: 6 },
    ],
    ['ec', 'process.env.PRIVATE', {}],
    ['ec', asKey(`dsaEncoding: 'ieee-p1363'`), { dsaEncoding: 'ieee-p1363' as const }],
  ] as const)(
    'of %s with %s is one that Node verifies, until it is changed',
    async (kind, key, options) => {
      const expression = `crypto.createSign('sha256').update(TEXT).sign(${key}, 'base64')`;
      const signature = Buffer.from(await inScript(expression, env(kind)), 'base64');
      const text = Buffer.from(await inNode('TEXT'));
      const verify = (data: Buffer, signed: Buffer) =>
        crypto.verify('sha256', data, { key: KEYS[kind].publicKey, ...options }, signed);
      expect(verify(text, signature)).toBe(true);
      expect(verify(Buffer.from('other'), signature)).toBe(false);
      signature[20] = (signature[20] ?? 0) ^ 1;
      expect(verify(text, signature)).toBe(false);
    },
  );

  test.each(['rsa', 'ec'] as const)(
    'of %s that Node made is verified, until it is changed',
    async (kind) => {
      const signature = crypto.sign('sha256', Buffer.from('data'), KEYS[kind].privateKey);
      const expression = `(() => { const signature = Buffer.from('${signature.toString('hex')}', 'hex');
      const verify = (data, signed) => crypto.createVerify('sha256').update(data).verify(process.env.PUBLIC, signed);
      const found = [verify('data', signature), verify('Data', signature), crypto.verify('sha256', Buffer.from('data'), process.env.PUBLIC, signature)];
      signature[20] ^= 1; return [...found, verify('data', signature)].join() })()`;
      expect(await inScript(expression, env(kind))).toBe('true,false,true,false');
    },
  );

  test('of another key is none', async () => {
    const signature = crypto
      .sign('sha256', Buffer.from('data'), KEYS.ec.privateKey)
      .toString('hex');
    const other = makeEc();
    const expression = `crypto.verify('sha256', Buffer.from('data'), process.env.PUBLIC, Buffer.from('${signature}', 'hex'))`;
    expect(await inScript(expression, { PUBLIC: other.publicKey })).toBe('false');
  });
});

describe('a key', () => {
  test.each([
    [
      'rsa',
      `(() => { const { type, asymmetricKeyType, asymmetricKeyDetails: { modulusLength, publicExponent } } = crypto.createPrivateKey(process.env.PRIVATE);
      return [type, asymmetricKeyType, modulusLength, typeof publicExponent, publicExponent].join() })()`,
    ],
    ['ec', `crypto.createPublicKey(process.env.PRIVATE).export({ type: 'spki', format: 'pem' })`],
    [
      'ec',
      `JSON.stringify(crypto.createPrivateKey(process.env.PRIVATE).export({ format: 'jwk' }))`,
    ],
    [
      'ec',
      `(() => { const jwk = crypto.createPublicKey(process.env.PUBLIC).export({ format: 'jwk' });
      return hex(crypto.createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })) })()`,
    ],
    [
      'rsa',
      `(() => { const der = crypto.createPrivateKey(process.env.PRIVATE).export({ type: 'pkcs1', format: 'der' });
      return crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }).export({ type: 'pkcs8', format: 'pem' }) })()`,
    ],
    ['rsa', `failed(() => crypto.createPrivateKey('no key'))`],
    ['rsa', `failed(() => crypto.createPrivateKey(process.env.PUBLIC))`],
  ] as const)('of %s is read as Node reads it: %s', async (kind, expression) => {
    expect(await inScript(expression, env(kind))).toBe(await inNode(expression, env(kind)));
  });

  test('encrypts what only its other half decrypts', async () => {
    const packed = crypto.publicEncrypt(
      { key: KEYS.rsa.publicKey, oaepHash: 'sha256' },
      Buffer.from('secret'),
    );
    const expression = `(() => { const key = { key: process.env.PRIVATE, oaepHash: 'sha256' };
      const packed = Buffer.from('${packed.toString('hex')}', 'hex');
      const own = crypto.privateDecrypt(key, crypto.publicEncrypt({ key: process.env.PUBLIC, oaepHash: 'sha256' }, Buffer.from('own')));
      const found = [crypto.privateDecrypt(key, packed), own]; packed[9] ^= 1;
      return [...found, failed(() => crypto.privateDecrypt(key, packed)).split(';')[0]].join() })()`;
    expect(await inScript(expression, env('rsa'))).toBe('secret,own,Error');
  });
});

/** Some 100 KB that become 64 MB, and a few bytes that do. */
const BOMBS = {
  GZIP_BOMB: gzipSync(Buffer.alloc(2 ** 26)).toString('base64'),
  BROTLI_BOMB: brotliCompressSync(Buffer.alloc(2 ** 26)).toString('base64'),
};

describe('what a script asks of its host stays within bounds:', () => {
  test.each([
    [
      'a bomb of gzip',
      `zlib.gunzipSync(Buffer.from(process.env.GZIP_BOMB, 'base64'))`,
      'RangeError: Cannot create a Buffer larger than 5242880 bytes',
    ],
    [
      'a bomb of brotli',
      `zlib.brotliDecompressSync(Buffer.from(process.env.BROTLI_BOMB, 'base64'))`,
      'RangeError: Cannot create a Buffer larger than 5242880 bytes',
    ],
    [
      'much to pack',
      `zlib.gzipSync(Buffer.alloc(1024 * 1024 + 1))`,
      'zlib.gzip takes at most 1024 KB in scripts',
    ],
    [
      'much to pack tightly',
      `zlib.brotliCompressSync(Buffer.alloc(256 * 1024 + 1))`,
      'zlib.brotliCompress takes at most 256 KB in scripts',
    ],
    [
      'many rounds at once',
      `crypto.pbkdf2Sync('p', 's', 1_000_000, 32, 'sha512')`,
      'pbkdf2Sync with these parameters would keep other scripts waiting: use pbkdf2 with a callback',
    ],
    [
      'a long key at once',
      `crypto.pbkdf2Sync('p', 's', 10_000, 65_536, 'sha1')`,
      'pbkdf2Sync with these parameters would keep other scripts waiting: use pbkdf2 with a callback',
    ],
    [
      'a costly scrypt at once',
      `crypto.scryptSync('p', 's', 32, { N: 2 ** 14, p: 16 })`,
      'scryptSync with these parameters would keep other scripts waiting: use scrypt with a callback',
    ],
    [
      'much memory for scrypt',
      `crypto.scryptSync('p', 's', 32, { N: 2 ** 20, maxmem: 2 ** 31 })`,
      'scrypt takes at most 64 MB in scripts (maxmem)',
    ],
    [
      'a scrypt that costs less than nothing',
      `crypto.scrypt('p', 's', 16, { N: -(2 ** 40) }, () => 0); await util.promisify(crypto.scrypt)('p', 's', 16, { N: -(2 ** 40) })`,
      'RangeError: The value of "N" is out of range. It must be a whole number. Received -1099511627776',
    ],
    [
      'many rounds later',
      `await util.promisify(crypto.pbkdf2)('p', 's', 100_000_000, 32, 'sha512')`,
      'The keys that a script derives may take 2 s',
    ],
    [
      'many keys later',
      `for (let i = 0; i < 50; i++) await util.promisify(crypto.pbkdf2)('p', 's', 200_000, 32, 'sha1')`,
      'The keys that a script derives may take 2 s',
    ],
    [
      'a key of many bytes',
      `crypto.createPrivateKey('x'.repeat(9_000))`,
      'A key takes at most 6144 bytes',
    ],
    [
      'a JWK of many bytes',
      `crypto.createPublicKey({ key: { kty: 'RSA', n: 'A'.repeat(9_000), e: 'AQAB' }, format: 'jwk' })`,
      'A key takes at most 6144 bytes',
    ],
    [
      'a key of many bits',
      `crypto.createPublicKey({ key: { kty: 'RSA', n: '_'.repeat(1_000), e: 'AQAB' }, format: 'jwk' })`,
      'A key of RSA has at most 4096 bits in scripts',
    ],
    [
      'parameters that are something else',
      `Object.prototype.toJSON = () => 5; crypto.createCipheriv('aes-128-ecb', key(16), null)`,
      'RangeError: Unknown cipher ""',
    ],
    [
      'an encrypted key',
      `crypto.createPrivateKey({ key: process.env.ENCRYPTED, passphrase: 'a' })`,
      'Encrypted keys are not available in scripts (docs/guide/scripts.md)',
    ],
    [
      'a key of another type',
      `crypto.createPublicKey(process.env.X25519)`,
      'Scripts may use keys of the types rsa, rsa-pss, ec, ed25519, ed448',
    ],
    [
      'many ciphers',
      `for (let i = 0; i <= 1_000; i++) crypto.createCipheriv('aes-128-ecb', key(16), null)`,
      'A script may make at most 1000 ciphers',
    ],
    [
      'much to encrypt',
      `const c = crypto.createCipheriv('aes-128-ctr', key(16), key(16)); for (let i = 0; i < 6; i++) c.update(Buffer.alloc(1_000_000))`,
      'The ciphers of a script take 5 MB',
    ],
    [
      'an unknown cipher',
      `crypto.createCipheriv('rc4', key(16), null)`,
      /^RangeError: Unknown cipher "rc4": scripts may use aes-128-cbc, /,
    ],
    [
      'an unknown hash',
      `crypto.createSign('shake').update('a').sign('k')`,
      /^Unknown hash "shake"/,
    ],
  ])('%s', async (_what, code, message) => {
    const { publicKey: X25519 } = pem(crypto.generateKeyPairSync('x25519'));
    const { error } = await run(code, { X25519, ENCRYPTED: 'x', ...BOMBS });
    if (typeof message === 'string') expect(error?.message).toContain(message);
    else expect(error?.message).toMatch(message);
    expect(error?.kind).toBe('thrown');
  });
});

test('a key that is derived later keeps no other script waiting, and its script waits for it', async () => {
  const expression = `util.promisify(crypto.pbkdf2)('p', 's', 300_000, 32, 'sha512').then(hex)`;
  expect(await inScript(expression)).toBe(
    crypto.pbkdf2Sync('p', 's', 300_000, 32, 'sha512').toString('hex'),
  );
});
