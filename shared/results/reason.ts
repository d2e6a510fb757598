import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import { assertionsOf, type ResultDetails } from './details.ts';

interface Reasoned extends ResultDetails {
  failure?: { cause: string; message: string } | null;
}

/** Comparisons that can be said in a word, and that word. */
const WANTED: Readonly<Record<string, string>> = {
  EQUALS: '',
  NOT_EQUALS: 'anything but ',
  LESS_THAN: 'less than ',
  GREATER_THAN: 'more than ',
  CONTAINS: 'a text with ',
};

const SUBJECTS: Readonly<Record<string, string>> = {
  STATUS_CODE: 'status',
  RESPONSE_CODE: 'response code',
  RESPONSE_TIME: 'response time',
  LATENCY: 'latency',
  HEADERS: 'header',
  JSON_BODY: '',
  JSON_ANSWER: '',
  JSON_RESPONSE: '',
};

const MAX_CHARS = 60;

/**
 * Why a run is bad, as short as it can be said: `status 502, wanted 200`. Else what the run says of itself;
 * undefined where it says nothing.
 */
export function reasonOf(result: Reasoned): string | undefined {
  const { failure } = result;
  if (failure?.cause === 'ASSERTION' || failure?.cause === 'STATUS') {
    const first = assertionsOf(result).find(({ error }) => error !== null);
    const short = first && shortReason(first);
    if (short !== undefined) return short;
  }
  return failure?.message;
}

function shortReason({ source, property, comparison, target, actual }: AssertionOutcome) {
  const [wanted, subject] = [WANTED[comparison], SUBJECTS[source]];
  const isShort = ['string', 'number', 'boolean'].includes(typeof actual);
  if (wanted === undefined || subject === undefined || !isShort) return undefined;
  const unit = source === 'RESPONSE_TIME' || source === 'LATENCY' ? ' ms' : '';
  const seen = typeof actual === 'number' ? Math.round(actual * 100) / 100 : String(actual);
  const name = [subject, property ?? ''].filter(Boolean).join(' ');
  const said = `${name} ${seen}${unit}, wanted ${wanted}${target ?? ''}${unit}`;
  return said.length > 2 * MAX_CHARS || String(seen).length > MAX_CHARS ? undefined : said;
}
