/**
 * Expressions that a script and Node itself have to give the same for, as a text. They find
 * `crypto`, `zlib`, `stream`, `util` and what {@link GIVEN} makes.
 */

/** Keys of these tests alone. */
export const GIVEN = `
  const [crypto, zlib, stream, util] = ['crypto', 'zlib', 'stream', 'util'].map((name) => require(name));
  const TEXT = 'Grüße, ' + 'watchpost '.repeat(40) + '\\u{1f600}';
  const key = (size) => Buffer.alloc(size, 'k3y');
  const hex = (bytes) => Buffer.from(bytes).toString('hex');
  const failed = (task) => { try { return 'no error: ' + task() } catch ({ name, code, message }) { return [name, code, message].join('; ') } };
`;

const sizes = [128, 192, 256];
const modes = ['cbc', 'ctr', 'cfb', 'ofb'];

const roundTrip = (algorithm: string, bytes: number, iv: string): [string, string] => [
  algorithm,
  `(() => {
    const cipher = crypto.createCipheriv('${algorithm}', key(${bytes}), ${iv});
    const parts = [cipher.update(TEXT, 'utf8', 'base64'), cipher.update(Buffer.from(TEXT), null, 'base64'), cipher.final('base64')];
    const decipher = crypto.createDecipheriv('${algorithm}', key(${bytes}), ${iv});
    const plain = decipher.update(parts.join(''), 'base64', 'utf8') + decipher.final('utf8');
    return [...parts, plain].join(';') })()`,
];

const gcm = (size: number): [string, string] => [
  `aes-${size}-gcm`,
  `(() => {
    const cipher = crypto.createCipheriv('aes-${size}-gcm', key(${size / 8}), Buffer.alloc(12, 7), { authTagLength: 16 });
    cipher.setAAD(Buffer.from('header'));
    const text = cipher.update(TEXT, 'utf8', 'hex') + cipher.final('hex');
    const tag = cipher.getAuthTag();
    const open = (tag, aad, text) => {
      const decipher = crypto.createDecipheriv('aes-${size}-gcm', key(${size / 8}), Buffer.alloc(12, 7));
      decipher.setAuthTag(tag).setAAD(Buffer.from(aad));
      return decipher.update(text, 'hex', 'utf8') + decipher.final('utf8') };
    const changed = Buffer.from(tag); changed[3] ^= 1;
    return [text, hex(tag), open(tag, 'header', text), failed(() => open(changed, 'header', text)),
      failed(() => open(tag, 'Header', text)), failed(() => open(tag, 'header', 'ff' + text.slice(2)))].join('\\n') })()`,
];

/** Name to an expression. */
export const SAME: [string, string][] = [
  ...sizes.flatMap((size) =>
    modes.map((mode) => roundTrip(`aes-${size}-${mode}`, size / 8, 'Buffer.alloc(16, 5)')),
  ),
  roundTrip('aes-256-ecb', 32, 'null'),
  roundTrip('des-ede3-cbc', 24, 'Buffer.alloc(8, 5)'),
  ...sizes.map(gcm),
  [
    'chacha20-poly1305',
    `(() => { const cipher = crypto.createCipheriv('chacha20-poly1305', key(32), Buffer.alloc(12), { authTagLength: 16 });
      return hex(Buffer.concat([cipher.update(TEXT), cipher.final()])) + hex(cipher.getAuthTag()) })()`,
  ],
  [
    'a cipher gives bytes before it has all of them',
    `(() => { const cipher = crypto.createCipheriv('aes-128-cbc', key(16), Buffer.alloc(16));
      return [5, 20, 40].map((length) => hex(cipher.update(Buffer.alloc(length, 1)))).concat(hex(cipher.final())).join() })()`,
  ],
  [
    'a cipher without padding',
    `(() => { const cipher = crypto.createCipheriv('aes-128-cbc', key(16), Buffer.alloc(16)).setAutoPadding(false);
      return hex(cipher.update(Buffer.alloc(32))) + failed(() => { cipher.update('a'); cipher.final() }) })()`,
  ],
  [
    'a text that was changed',
    `failed(() => { const decipher = crypto.createDecipheriv('aes-128-cbc', key(16), Buffer.alloc(16));
      decipher.update(Buffer.alloc(16)); decipher.final() })`,
  ],
  [
    'a key of a wrong length',
    `failed(() => crypto.createCipheriv('aes-256-cbc', key(31), Buffer.alloc(16)))`,
  ],
  [
    'an IV of a wrong length',
    `failed(() => crypto.createCipheriv('aes-256-cbc', key(32), Buffer.alloc(15)))`,
  ],
  ['an IV of none', `failed(() => crypto.createCipheriv('aes-256-gcm', key(32), null))`],
  [
    'a secret as a KeyObject',
    `(() => { const secret = crypto.createSecretKey(key(32)); const cipher = crypto.createCipheriv('aes-256-ctr', secret, Buffer.alloc(16));
      return [hex(cipher.update(TEXT)), secret.type, secret.symmetricKeySize, hex(secret.export()), secret.export({ format: 'jwk' }).k,
        crypto.createHmac('sha256', secret).update('a').digest('hex'), secret.equals(crypto.createSecretKey(key(32)))].join() })()`,
  ],
  ...['sha1', 'sha256', 'sha512'].map((digest): [string, string] => [
    `pbkdf2 with ${digest}`,
    `(async () => { const args = ['pässword', Buffer.from('salt'), 1000, 40, '${digest}'];
      return hex(crypto.pbkdf2Sync(...args)) + hex(await util.promisify(crypto.pbkdf2)(...args)) })()`,
  ]),
  [
    'scrypt',
    `(async () => { const options = { N: 1024, r: 8, p: 2 };
      return hex(crypto.scryptSync('password', 'NaCl', 64, options)) + hex(await util.promisify(crypto.scrypt)('password', 'NaCl', 64, options))
        + hex(crypto.scryptSync('password', 'NaCl', 64, { cost: 512, blockSize: 4, parallelization: 1 }))
        + await new Promise((ok) => crypto.scrypt(Buffer.from('p'), 's', 16, (error, found) => ok(error + hex(found)))) })()`,
  ],
  [
    'scrypt with parameters that are none',
    `(async () => failed(() => crypto.scryptSync('p', 's', 16, { N: 1000 })))()`,
  ],
  [
    'hkdf',
    `(async () => hex(crypto.hkdfSync('sha512', 'key', 'salt', 'info', 64))
      + hex(await util.promisify(crypto.hkdf)('sha256', key(16), Buffer.alloc(0), Buffer.from('info'), 16)))()`,
  ],
  [
    'timingSafeEqual',
    `[crypto.timingSafeEqual(key(4), key(4)), crypto.timingSafeEqual(key(4), Buffer.from('nope'))].join()`,
  ],
  [
    'constants',
    `[crypto.constants.RSA_PKCS1_OAEP_PADDING, zlib.constants.Z_BEST_COMPRESSION, zlib.constants.BROTLI_PARAM_QUALITY].join()`,
  ],
  ...['gzip', 'deflate', 'deflateRaw', 'brotliCompress'].map((method): [string, string] => [
    `zlib.${method}`,
    `(async () => { const back = { gzip: 'gunzip', deflate: 'inflate', deflateRaw: 'inflateRaw', brotliCompress: 'brotliDecompress' }.${method};
      const packed = zlib.${method}Sync(TEXT); const later = await util.promisify(zlib.${method})(Buffer.from(TEXT));
      const whole = zlib[back + 'Sync'](packed).toString() + await util.promisify(zlib[back])(packed);
      return [hex(packed), hex(later), whole].join() })()`,
  ]),
  [
    'options of zlib',
    `[hex(zlib.gzipSync(TEXT, { level: 1 })), hex(zlib.deflateRawSync(TEXT, { level: 9, memLevel: 9, windowBits: 10 })),
      hex(zlib.deflateSync(TEXT, { dictionary: Buffer.from('watchpost') })),
      zlib.inflateSync(zlib.deflateSync(TEXT, { dictionary: Buffer.from('watchpost') }), { dictionary: Buffer.from('watchpost') }),
      hex(zlib.brotliCompressSync(TEXT, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })),
      zlib.unzipSync(zlib.gzipSync(TEXT)), zlib.crc32(TEXT), zlib.crc32('b', zlib.crc32('a'))].join()`,
  ],
  ['what is not packed', `failed(() => zlib.gunzipSync(Buffer.from('plain text')))`],
  ['what is cut off', `failed(() => zlib.gunzipSync(zlib.gzipSync(TEXT).subarray(0, 30)))`],
  ['a wrong level', `failed(() => zlib.gzipSync(TEXT, { level: 10 }))`],
  [
    'a callback of zlib gets the error',
    `new Promise((ok) => zlib.inflate(Buffer.from('x'), (error) => ok(error.code)))`,
  ],
  [
    'streams',
    `(async () => { const { Readable, Writable, Transform, PassThrough } = stream; const parts = [];
      const upper = new Transform({ transform(chunk, _encoding, done) { done(null, String(chunk).toUpperCase()) } });
      const sink = new Writable({ write(chunk, _encoding, done) { parts.push(String(chunk)); done() } });
      await require('stream/promises').pipeline(Readable.from(['a', 'b', 'c']), upper, new PassThrough(), sink);
      const seen = []; for await (const chunk of Readable.from(['x', Buffer.from('y')])) seen.push(String(chunk));
      const failure = await new Promise((ok) => stream.pipeline(Readable.from(['a']),
        new Transform({ transform(_chunk, _encoding, done) { done(new Error('broken')) } }), new PassThrough().resume(), ok));
      return [parts.join(''), seen.join(''), failure.message].join() })()`,
  ],
  [
    'a stream of zlib',
    `(async () => { const parts = [];
      for await (const part of stream.Readable.from([TEXT, TEXT]).pipe(zlib.createGzip()).pipe(zlib.createGunzip())) parts.push(part);
      return Buffer.concat(parts).toString() })()`,
  ],
];
