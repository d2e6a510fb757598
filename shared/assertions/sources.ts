import type { Assertion } from '#shared/checks/blocks.ts';
import type { JsonBudget } from '#shared/json-path/budget.ts';
import { queryJson } from '#shared/json-path/query.ts';
import { extract } from '#shared/pattern.ts';
import type { AssertedType, DnsFacts, HttpFacts, IcmpFacts, SourceOf, TcpFacts } from './facts.ts';
import { parseJson } from './target.ts';

/**
 * What an assertion looks at: its name in sentences, and the values found or why there are none.
 * Sentences are for the caller to cut.
 */
export type Seen = { subject: string } & (
  | { values: readonly unknown[]; problem?: never }
  | { problem: string; values?: never }
);

/** Finds what an assertion of one source looks at. */
export type Reader = (assertion: Assertion, budget: JsonBudget) => Seen;

/**
 * The sources of each check type, opened on the facts of one run. A body is
 * parsed when the first assertion asks for it, and then once.
 */
export const SOURCES = {
  API: (facts: HttpFacts) => ({
    STATUS_CODE: () => ({ subject: 'status code', values: [facts.statusCode] }),
    RESPONSE_TIME: () => responseTime(facts),
    HEADERS: (assertion) => header(assertion, facts),
    TEXT_BODY: (assertion) => text('text body', assertion, facts.body),
    JSON_BODY: json('JSON body', () => parseBody(facts)),
  }),
  URL: (facts: HttpFacts) => ({
    STATUS_CODE: () => ({ subject: 'status code', values: [facts.statusCode] }),
  }),
  TCP: (facts: TcpFacts) => ({
    RESPONSE_DATA: (assertion) => text('response data', assertion, facts.data),
    RESPONSE_TIME: () => responseTime(facts),
  }),
  DNS: (facts: DnsFacts) => ({
    RESPONSE_TIME: () => responseTime(facts),
    RESPONSE_CODE: () => ({ subject: 'response code', values: [facts.responseCode] }),
    TEXT_ANSWER: (assertion) => text('text answer', assertion, facts.textAnswer),
    JSON_ANSWER: json('JSON answer', () => ({ document: facts.jsonAnswer })),
  }),
  ICMP: (facts: IcmpFacts) => ({
    LATENCY: (assertion) => latency(assertion, facts),
    JSON_RESPONSE: json('JSON response', () => ({ document: facts.jsonResponse })),
  }),
} satisfies { [T in AssertedType]: (facts: never) => { [S in SourceOf<T>]: Reader } };

/** The facts that assertions of a check type look at. */
export type FactsOf<T extends AssertedType> = Parameters<(typeof SOURCES)[T]>[0];

function responseTime(facts: { responseTime: number }): Seen {
  return { subject: 'response time', values: [facts.responseTime] };
}

/** One header by its name, or all of them as an object; `regex` takes a part of the value. */
function header({ property, regex }: Assertion, { headers }: HttpFacts): Seen {
  const name = property?.trim().toLowerCase() ?? '';
  if (name === '') return { subject: 'headers', values: [headers] };
  const subject = `header "${name}"`;
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (value === undefined) return { subject, values: [] };
  return part(subject, regex, value);
}

/** A text, or the part of it that a regular expression in `property` or `regex` takes. */
function text(subject: string, { property, regex }: Assertion, whole: string): Seen {
  return part(subject, property || regex, whole);
}

function part(subject: string, pattern: string | null, whole: string): Seen {
  if (!pattern) return { subject, values: [whole] };
  const named = `${subject} at /${pattern}/`;
  const found = extract(pattern, whole);
  if ('problem' in found) return { subject: named, problem: found.problem };
  return { subject: named, values: found.value === null ? [] : [found.value] };
}

const LATENCIES = ['avg', 'min', 'max', 'stdDev'] as const satisfies (keyof IcmpFacts['latency'])[];

function latency({ property }: Assertion, facts: IcmpFacts): Seen {
  const asked = property?.trim() || 'avg';
  const name = LATENCIES.find((known) => known === asked);
  const subject = `latency ${asked}`;
  if (name === undefined) {
    return { subject, problem: `the property is none of ${LATENCIES.join(', ')}` };
  }
  return { subject, values: [facts.latency[name]] };
}

type JsonDocument = { document: unknown } | { problem: string };

/** A reader of JSON, whose `property` is a JSONPath; an empty one means the whole document. */
function json(name: string, open: () => JsonDocument): Reader {
  let opened: JsonDocument | undefined;
  return ({ property }, budget) => {
    const path = property?.trim() ?? '';
    const subject = path === '' ? name : `${name} at ${path}`;
    opened ??= open();
    if ('problem' in opened) return { subject, problem: opened.problem };
    if (path === '') return { subject, values: [opened.document] };
    return { subject, ...queryJson(path, opened.document, budget) };
  };
}

/**
 * Most values of a JSON body. Parsed, a value takes up to some hundred bytes whatever its text takes:
 * 25 MB of `[{},{},…]` took 2.4 s and 1 GB, and a thread out of memory ends the process (measured).
 */
const MAX_JSON_VALUES = 2_000_000;

/** Counts what comes before a value, in strings too: enough to bound it, and as fast as can be. */
function hasTooManyValues(text: string): boolean {
  if (text.length <= MAX_JSON_VALUES) return false;
  let values = 0;
  for (let at = 0; at < text.length && values <= MAX_JSON_VALUES; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === OPENING_BRACKET || unit === OPENING_BRACE) values++;
  }
  return values > MAX_JSON_VALUES;
}

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** `application/json`, `text/json`, `application/problem+json`, … */
const JSON_TYPE = /^[^/;]*\/(?:[^;]*\+)?json\s*(?:;|$)/i;

/** A body that says it is something else is not JSON; one that says nothing may be. */
function parseBody({ headers, body }: HttpFacts): JsonDocument {
  const contentType = headers['content-type']?.trim() ?? '';
  if (contentType !== '' && !JSON_TYPE.test(contentType)) {
    return { problem: `the body is not JSON but "${contentType}"` };
  }
  if (body.trim() === '') return { problem: 'the body is empty, not JSON' };
  if (hasTooManyValues(body)) {
    return { problem: `the body holds more than ${MAX_JSON_VALUES} values, too many to look at` };
  }
  const document = parseJson(body);
  return document === undefined ? { problem: 'the body is not valid JSON' } : { document };
}
