import type { AssertionOutcome } from '#shared/rules/assertion/evaluate.ts';
import { decodeUserInfo, type HttpCheckRequest, type HttpRequest } from './request.ts';
import { isWorthHiding } from './secret-forms.ts';

/** What stands in the place of a secret. */
export const REDACTED = '***';

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

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

/**
 * Outcomes of assertions without the values that they saw of secret headers, or of all headers and
 * the body where the whole response is secret.
 */
export function redactOutcomes(
  outcomes: readonly AssertionOutcome[],
  isResponseSecret: boolean,
): readonly AssertionOutcome[] {
  return outcomes.map((outcome) => {
    const isHeader = outcome.source === 'HEADERS';
    const isSecret = isResponseSecret
      ? isHeader || BODY_SOURCES.has(outcome.source)
      : isHeader && SECRET_HEADERS.has((outcome.property ?? '').toLowerCase());
    if (!isSecret) return outcome;
    const what = isHeader ? `header ${outcome.property}` : 'body';
    const error = outcome.error && `The value of the ${what} is not as asserted`;
    return { ...outcome, error, actual: outcome.actual === null ? null : REDACTED };
  });
}

const BODY_SOURCES: ReadonlySet<string> = new Set(['JSON_BODY', 'TEXT_BODY']);

/** What must not be kept. */
export interface Secrets {
  /** Wherever they stand, in every form. */
  texts: readonly string[];
  /** Where they stand alone, as a word or number does. */
  words: readonly string[];
  /** Where the value stands behind its parameter's name in a URL. */
  parameters: readonly { key: string; value: string }[];
}

/** The values of a run that must not be kept: what is locked, and what authenticates. */
export function secretsOf(
  check: HttpCheckRequest,
  sent: HttpRequest | null,
): Omit<Secrets, 'words'> {
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
      (item) => item.locked && item.value !== '' && !isWorthHiding(item.value),
    ),
  };
}

/** The password that a URL carries, as it is written and as it is meant. */
function passwordIn(url: string): string[] {
  if (!url.includes('@')) return [];
  const password = /^[^/?#]*:\/\/[^/?#]*?:([^/?#]*)@/.exec(url)?.[1] ?? '';
  return [password, decodeUserInfo(password), decodeUserInfo(URL.parse(url)?.password ?? '')];
}
