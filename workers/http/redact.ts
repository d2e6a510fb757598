import type { AssertionOutcome } from '#shared/rules/assertion/evaluate.ts';
import { decodeUserInfo, type HttpCheckRequest, type HttpRequest } from './request.ts';

/** What stands in the place of a secret. */
export const REDACTED = '***';

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

/** A shorter secret is found in too much that is none: it is hidden only where its name stands. */
const MIN_SECRET_CHARS = 4;

/**
 * Header fields as they may be kept: values that are always secret are not shown (threats 15), nor
 * those of the lower-case names given.
 */
export function redactHeaders(
  fields: Iterable<readonly [string, string]>,
  secretNames: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of fields) {
    const isSecret = SECRET_HEADERS.has(name.toLowerCase()) || secretNames.has(name.toLowerCase());
    const text = isSecret ? REDACTED : value;
    put(shown, name, Object.hasOwn(shown, name) ? `${shown[name]}, ${text}` : text);
  }
  return shown;
}

/**
 * Sets a member whose name somebody else chose. On a plain object, because JSON takes half as long
 * again for one without a prototype (measured).
 */
function put(target: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true });
}

/** Outcomes of assertions on secret headers, without the values that they saw. */
export function redactOutcomes(outcomes: readonly AssertionOutcome[]): readonly AssertionOutcome[] {
  return outcomes.map((outcome) => {
    const isSecret =
      outcome.source === 'HEADERS' && SECRET_HEADERS.has((outcome.property ?? '').toLowerCase());
    if (!isSecret) return outcome;
    const error = outcome.error && `The value of the header ${outcome.property} is not as asserted`;
    return { ...outcome, error, actual: outcome.actual === null ? null : REDACTED };
  });
}

/** What must not be kept: texts wherever they stand, and values only behind their parameter's name. */
export interface Secrets {
  texts: readonly string[];
  parameters: readonly { key: string; value: string }[];
}

/** The values of a run that must not be kept: what is locked, and what authenticates. */
export function secretsOf(check: HttpCheckRequest, sent: HttpRequest | null): Secrets {
  const locked = [...check.headers, ...check.queryParameters].filter((item) => item.locked);
  const authenticating = (sent?.headers ?? []).filter(([name]) =>
    SECRET_HEADERS.has(name.toLowerCase()),
  );
  const texts = [
    ...locked.map(({ value }) => value),
    // `Bearer abc` and `abc` alone.
    ...authenticating.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)]),
    check.basicAuth?.password ?? '',
    ...passwordIn(check.url),
  ];
  return {
    texts: [...new Set(texts)].filter(isWorthHiding),
    parameters: check.queryParameters.filter(
      (item) => item.locked && item.value !== '' && item.value.length < MIN_SECRET_CHARS,
    ),
  };
}

/** The password that a URL carries, as it is written and as it is meant. */
function passwordIn(url: string): string[] {
  if (!url.includes('@')) return [];
  const password = /^[^/?#]*:\/\/[^/?#]*?:([^/?#]*)@/.exec(url)?.[1] ?? '';
  return [password, decodeUserInfo(password), decodeUserInfo(URL.parse(url)?.password ?? '')];
}

/** Takes secrets out of a text that is about to be kept. */
export type Scrub = (text: string) => string;

/** Whether a secret is long enough to be looked for in texts. */
export function isWorthHiding(secret: string): boolean {
  return secret.length >= MIN_SECRET_CHARS;
}

/**
 * Takes secrets out of texts, wherever they turn up: as they are and in their URL, form, base64 and
 * JSON forms. Null where there is nothing to look for.
 */
export function createScrubber({ texts, parameters }: Secrets): Scrub | null {
  if (texts.length === 0 && parameters.length === 0) return null;
  const forms = [...new Set(texts.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const pairs = parameters.map(pairPattern);
  return (text) => {
    const rest = forms.reduce((scrubbed, form) => scrubbed.replaceAll(form, REDACTED), text);
    const whole = pairs.reduce((scrubbed, pair) => scrubbed.replace(pair, `$1${REDACTED}`), rest);
    return hideCutForms(whole, forms);
  };
}

/** A query parameter with its value, as a URL has it. Group 1 is what comes before the value. */
function pairPattern({ key, value }: { key: string; value: string }): RegExp {
  const [name, secret] = [key, value].map(asPattern);
  return new RegExp(`([?&;]${name}=)${secret}(?![\\w%.~-])`, 'g');
}

/** Of what stays in a URL as it is, these four mean something in a pattern. */
function asPattern(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[.*()]/g, '\\$&');
}

/** Texts that were cut are at least as long: sentences show 200 characters of a value. */
const MIN_CUT_CHARS = 100;
/** Characters before a cut that are looked through for the start of a secret. */
const CUT_WINDOW_CHARS = 4_096;

/** The start of a secret, where a text ends in the middle of it or `…` stands for the rest. */
function hideCutForms(text: string, forms: readonly string[]): string {
  if (text.length < MIN_CUT_CHARS) return text;
  return text
    .split('…')
    .map((piece) => forms.reduce(hideCutForm, piece))
    .join('…');
}

function hideCutForm(piece: string, form: string): string {
  const head = form.slice(0, MIN_SECRET_CHARS);
  const from = Math.max(0, piece.length - Math.min(form.length, CUT_WINDOW_CHARS));
  for (let at = piece.indexOf(head, from); at !== -1; at = piece.indexOf(head, at + 1)) {
    if (form.startsWith(piece.slice(at))) return piece.slice(0, at) + REDACTED;
  }
  return piece;
}

/** The forms that are looked for; short remains of an encoding would be found in too much. */
function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed());
  const json = inJson(secret);
  const ascii = json.replace(/[^\0-\x7f]/g, unicodeEscape);
  return [
    secret,
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    ...[0, 1, 2].flatMap((offset) => base64Forms(secret, offset)),
    ...IN_URLS.map((start) => URL.parse(start + secret)?.href.slice(start.length) ?? ''),
    // As header bytes in UTF-8 are shown.
    ...[secret, json].map((text) => Buffer.from(text).toString('latin1')),
    json,
    json.replaceAll('/', '\\/'),
    ascii,
    // A sentence about a JSON text quotes it once more.
    ...[json, ascii].map(inJson),
  ].filter(isWorthHiding);
}

/**
 * The characters of base64 that a secret alone decides, where so many bytes come before it in its
 * group of three (`user:secret`), and all of them where none do.
 */
function base64Forms(secret: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const start = Math.ceil((offset * 4) / 3);
  const end = Math.floor((bytes.length * 4) / 3);
  const stops = offset === 0 ? [undefined, end] : [end];
  const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return encoded.flatMap((text) => stops.map((stop) => text.slice(start, stop)));
}

/** In path and query of a URL as it is parsed, fewer characters are encoded. */
const IN_URLS = ['http://h/x', 'http://h/?'] as const;

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Members whose own members' names somebody else chose. */
const FREELY_NAMED: ReadonlySet<string> = new Set(['headers', 'params', 'actual']);

/** A copy of plain data with every text in it scrubbed, and names of members that are not ours. */
export function scrubTexts(data: unknown, scrub: Scrub, isFree = false): unknown {
  if (typeof data === 'string') return scrub(data);
  if (Array.isArray(data)) return data.map((item) => scrubTexts(item, scrub, isFree));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      isFree ? scrub(name) : name,
      scrubTexts(value, scrub, isFree || FREELY_NAMED.has(name)),
    ]),
  );
}
