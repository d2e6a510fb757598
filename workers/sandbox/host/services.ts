import { constants as cryptoConstants, randomBytes, randomUUID } from 'node:crypto';
import { constants as zlibConstants } from 'node:zlib';
import { CIPHERS, Ciphers } from './ciphers.ts';
import { compress, crc32 } from './compression.ts';
import { deriveSync, hkdf } from './derivation.ts';
import { hash, hmac } from './hashes.ts';
import { findLibrary, type Requirer } from './libraries.ts';
import { Refusal } from './refusal.ts';
import { exportKey, readKey, rsa, sign, verify } from './signatures.ts';

const MAX_RANDOM_BYTES = 65_536;
const MAX_URL_CHARS = 65_536;

const URL_PARTS = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;
type UrlPart = (typeof URL_PARTS)[number];

/** An answer to a realm: texts in, a text out. Bytes are texts of the characters U+0000 to U+00FF. */
type Service = (first: string, second: string, third: string) => string;

/** What the host computes for one script. */
export class Services {
  readonly #ofScript: ReadonlyMap<string, Service>;

  /** `runtimeId` chooses the libraries. */
  constructor(runtimeId: string) {
    const ciphers = new Ciphers();
    this.#ofScript = new Map<string, Service>([
      ['library', (name, own) => libraryText(name, { runtimeId, own })],
      ['cipher', (parameters) => ciphers.make(parameters)],
      ['cipher-update', (id, data) => ciphers.update(id, data)],
      ['cipher-final', (id) => ciphers.final(id)],
      ['cipher-padding', (id, isPadded) => ciphers.setPadding(id, isPadded)],
      ['cipher-aad', (id, data) => ciphers.setAad(id, data)],
      ['cipher-tag', (id) => ciphers.tag(id)],
      ['cipher-set-tag', (id, tag) => ciphers.setTag(id, tag)],
    ]);
  }

  /** Throws {@link Refusal}, and an error where there is no such service. */
  serve(operation: string, [first, second, third]: Parameters<Service>): string {
    const service = SERVICES.get(operation) ?? this.#ofScript.get(operation);
    if (!service) throw new Error(`There is no service ${operation}`);
    return service(first, second, third);
  }
}

function libraryText(name: string, requirer: Requirer): string {
  const found = findLibrary(name, requirer);
  if ('text' in found) return found.text;
  throw new Refusal(found.refusal);
}

/** None of them has a state. */
const SERVICES: ReadonlyMap<string, Service> = new Map<string, Service>([
  ['uuid', () => randomUUID()],
  ['random', (size) => randomBytes(sizeOf(size)).toString('latin1')],
  ['hash', hash],
  ['hmac', hmac],
  ['ciphers', () => JSON.stringify(CIPHERS)],
  ['key', readKey],
  ['key-export', exportKey],
  ['sign', sign],
  ['verify', verify],
  ['rsa', rsa],
  ['derive', deriveSync],
  ['hkdf', hkdf],
  ['compress', compress],
  ['crc32', crc32],
  ['constants', (module) => JSON.stringify(module === 'zlib' ? zlibConstants : cryptoConstants)],
  ['url', (text, base) => partsOf(parsed(text, base))],
  ['url-set', (href, part, value) => partsOf(changed(parsed(href, ''), part, value))],
]);

function sizeOf(text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && size >= 0 && size <= MAX_RANDOM_BYTES) return size;
  throw new Refusal(`Random bytes come in sizes from 0 to ${MAX_RANDOM_BYTES}`);
}

function parsed(text: string, base: string): URL {
  const url = text.length > MAX_URL_CHARS ? null : URL.parse(text, base === '' ? undefined : base);
  if (url) return url;
  throw new Refusal(`Invalid URL: ${text}`);
}

/** A part that cannot be so stays as it is, as everywhere; only the whole URL is refused. */
function changed(url: URL, part: string, value: string): URL {
  if (part === 'href') return parsed(value, '');
  if (value.length > MAX_URL_CHARS) throw new Refusal(`Part of a URL too long: ${part}`);
  if (isPart(part)) url[part] = value;
  return url;
}

function isPart(name: string): name is UrlPart {
  return (URL_PARTS as readonly string[]).includes(name);
}

function partsOf(url: URL): string {
  const parts = URL_PARTS.map((part) => [part, url[part]]);
  return JSON.stringify(Object.fromEntries([...parts, ['origin', url.origin]]));
}
