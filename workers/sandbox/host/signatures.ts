import * as crypto from 'node:crypto';
import { cryptoBytes, hashName } from './hashes.ts';
import { Parameters } from './parameters.ts';
import { asNodeDoes, Refusal } from './refusal.ts';

/** Numbers that are longer than a key's modulus cost time: RSA of 4,096 bits takes 3.3 KB as PEM. */
const MAX_KEY_CHARS = 6_144;
const MAX_RSA_BITS = 4_096;
const KEY_TYPES: readonly string[] = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448'];
/** What RSA does beside signing. */
const RSA = {
  publicEncrypt: crypto.publicEncrypt,
  privateDecrypt: crypto.privateDecrypt,
  privateEncrypt: crypto.privateEncrypt,
  publicDecrypt: crypto.publicDecrypt,
} as const;

/** Reads a key: JSON of what it is, with the key itself as PEM. */
export function readKey(text: string): string {
  const key = keyOf(Parameters.parse(text));
  const { type, asymmetricKeyType, asymmetricKeyDetails } = key;
  const details = JSON.parse(JSON.stringify(asymmetricKeyDetails ?? {}, bigIntAsText));
  return JSON.stringify({ type, asymmetricKeyType, details, pem: pemOf(key) });
}

/** A key in another form: bytes or text as Node gives them, a JWK as JSON. */
export function exportKey(text: string): string {
  const parameters = Parameters.parse(text);
  const key = keyOf(parameters.within('key'));
  const format = parameters.text('format');
  if (format === 'jwk') return asNodeDoes(() => JSON.stringify(key.export({ format })));
  const options = { format, type: parameters.text('type') } as crypto.KeyExportOptions<'der'>;
  return asNodeDoes(() => key.export(options).toString('latin1'));
}

/** The signature of data. */
export function sign(text: string, data: string): string {
  const { algorithm, key, options } = signing(text, 'private');
  const bytes = cryptoBytes(data);
  return asNodeDoes(() => crypto.sign(algorithm, bytes, { key, ...options }).toString('latin1'));
}

/** Whether a signature is that of data: `true` or `false`. */
export function verify(text: string, data: string, signature: string): string {
  const { algorithm, key, options } = signing(text, 'public');
  const [bytes, signed] = [cryptoBytes(data), cryptoBytes(signature)];
  return asNodeDoes(() => String(crypto.verify(algorithm, bytes, { key, ...options }, signed)));
}

/** What RSA makes of data, see {@link RSA}. */
export function rsa(text: string, data: string): string {
  const parameters = Parameters.parse(text);
  const name = parameters.text('name');
  if (!isRsa(name)) throw new Error(`RSA has no ${name}`);
  const key = keyOf(parameters.within('key'));
  const oaepHash = parameters.text('oaepHash');
  const oaepLabel = parameters.bytes('oaepLabel');
  const options = {
    ...parameters.numbers(['padding']),
    ...(oaepHash !== '' && { oaepHash: hashName(oaepHash) }),
    ...(oaepLabel !== undefined && { oaepLabel }),
  };
  const bytes = cryptoBytes(data);
  return asNodeDoes(() => RSA[name]({ key, ...options }, bytes).toString('latin1'));
}

function isRsa(name: string): name is keyof typeof RSA {
  return Object.hasOwn(RSA, name);
}

function signing(text: string, kind: 'private' | 'public') {
  const parameters = Parameters.parse(text);
  const algorithm = parameters.text('algorithm');
  const dsaEncoding = parameters.text('dsaEncoding');
  return {
    // The Edwards curves have a hash of their own.
    algorithm: algorithm === '' ? null : hashName(algorithm),
    key: keyOf(parameters.within('key'), kind),
    options: {
      ...parameters.numbers(['padding', 'saltLength']),
      ...(dsaEncoding !== '' && { dsaEncoding: dsaEncoding as crypto.DSAEncoding }),
    },
  };
}

/** Reads no encrypted key: how long that takes is for the key to say. */
function keyOf(parameters: Parameters, kind: string = parameters.text('kind')): crypto.KeyObject {
  const data = parameters.text('data');
  const jwk = parameters.texts('jwk');
  const chars = [data, ...Object.values(jwk)].reduce((sum, { length }) => sum + length, 0);
  if (chars > MAX_KEY_CHARS) throw new Refusal(`A key takes at most ${MAX_KEY_CHARS} bytes`);
  const format = parameters.text('format');
  const input =
    format === 'jwk'
      ? { format, key: jwk }
      : { format, key: Buffer.from(data, 'latin1'), type: parameters.text('type') || undefined };
  const read = kind === 'private' ? crypto.createPrivateKey : crypto.createPublicKey;
  const key = asNodeDoes(() => read(input as crypto.PrivateKeyInput & crypto.PublicKeyInput));
  return withinBounds(key);
}

function withinBounds(key: crypto.KeyObject): crypto.KeyObject {
  const { asymmetricKeyType = '', asymmetricKeyDetails } = key;
  if (!KEY_TYPES.includes(asymmetricKeyType)) {
    throw new Refusal(`Scripts may use keys of the types ${KEY_TYPES.join(', ')}`);
  }
  if ((asymmetricKeyDetails?.modulusLength ?? 0) <= MAX_RSA_BITS) return key;
  throw new Refusal(`A key of RSA has at most ${MAX_RSA_BITS} bits in scripts`);
}

function pemOf(key: crypto.KeyObject): string {
  return key.type === 'private'
    ? key.export({ format: 'pem', type: 'pkcs8' }).toString()
    : key.export({ format: 'pem', type: 'spki' }).toString();
}

function bigIntAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
