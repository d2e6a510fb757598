import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { findLibrary } from './libraries.ts';
import { Refusal } from './refusal.ts';

/** Hashes that scripts may reckon. */
const ALGORITHMS: readonly string[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const MAX_RANDOM_BYTES = 65_536;
const MAX_URL_CHARS = 65_536;
const MAX_HASHED_BYTES = 5 * 1024 * 1024;

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
  readonly #runtimeId: string;

  /** `runtimeId` chooses the libraries. */
  constructor(runtimeId: string) {
    this.#runtimeId = runtimeId;
  }

  /** Throws {@link Refusal}, and an error where there is no such service. */
  serve(operation: string, [first, second, third]: Parameters<Service>): string {
    if (operation === 'library') return this.#library(first, second);
    const service = SERVICES.get(operation);
    if (!service) throw new Error(`There is no service ${operation}`);
    return service(first, second, third);
  }

  #library(name: string, own: string): string {
    const found = findLibrary(name, { runtimeId: this.#runtimeId, own });
    if ('text' in found) return found.text;
    throw new Refusal(found.refusal);
  }
}

/** None of them has a state. */
const SERVICES: ReadonlyMap<string, Service> = new Map<string, Service>([
  ['uuid', () => randomUUID()],
  ['random', (size) => randomBytes(sizeOf(size)).toString('latin1')],
  [
    'hash',
    (algorithm, data) =>
      createHash(algorithmOf(algorithm))
        .update(bounded(data), 'latin1')
        .digest()
        .toString('latin1'),
  ],
  [
    'hmac',
    (algorithm, data, key) =>
      createHmac(algorithmOf(algorithm), Buffer.from(bounded(key), 'latin1'))
        .update(bounded(data), 'latin1')
        .digest()
        .toString('latin1'),
  ],
  ['url', (text, base) => partsOf(parsed(text, base))],
  ['url-set', (href, part, value) => partsOf(changed(parsed(href, ''), part, value))],
]);

function sizeOf(text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && size >= 0 && size <= MAX_RANDOM_BYTES) return size;
  throw new Refusal(`Random bytes come in sizes from 0 to ${MAX_RANDOM_BYTES}`);
}

/** The realm counts as well; what it says is not relied on. */
function bounded(data: string): string {
  if (data.length <= MAX_HASHED_BYTES) return data;
  throw new Refusal('A hash takes at most 5 MB');
}

function algorithmOf(text: string): string {
  const name = text.toLowerCase().replace('-', '');
  if (ALGORITHMS.includes(name)) return name;
  throw new Refusal(`Unknown hash "${text}": scripts may use ${ALGORITHMS.join(', ')}`);
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
