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
    texts: [...new Set(texts)].filter((secret) => secret.length >= MIN_SECRET_CHARS),
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

/**
 * Takes secrets out of texts, wherever they turn up: as they are and in their URL, form, base64 and
 * JSON forms. Null where there is nothing to look for.
 */
export function createScrubber({ texts, parameters }: Secrets): ((text: string) => string) | null {
  if (texts.length === 0 && parameters.length === 0) return null;
  const forms = [...new Set(texts.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const pairs = parameters.map(pairPattern);
  return (text) => {
    const rest = forms.reduce((scrubbed, form) => scrubbed.replaceAll(form, REDACTED), text);
    return pairs.reduce((scrubbed, pair) => scrubbed.replace(pair, `$1${REDACTED}`), rest);
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

function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** A copy of plain data with every text in it, names of members apart, scrubbed. */
export function scrubTexts(data: unknown, scrub: (text: string) => string): unknown {
  if (typeof data === 'string') return scrub(data);
  if (Array.isArray(data)) return data.map((item) => scrubTexts(item, scrub));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, scrubTexts(value, scrub)]),
  );
}
