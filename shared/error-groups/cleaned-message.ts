/** Longest message that is looked at, and longest that comes out. */
const MAX_RAW_LENGTH = 2_000;
const MAX_CLEANED_LENGTH = 1_000;

const DATE = String.raw`\d{4}-\d\d-\d\d`;
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?`;
const OFFSET = String.raw`(?:Z|[+-]\d\d:?\d\d)?`;
const HEX4 = '[0-9a-f]{4}';

/**
 * What differs from one failure to the next of the same kind, the first that fits at a place counts. A match begins where
 * a word does, and no part of a pattern can be read in two ways, so the time grows with the length of the message.
 */
const PATTERNS = {
  // A status says what is wrong: 404 and 503 are two kinds of failure.
  kept: String.raw`\bstatus\b[^\d\n]{0,40}\b[1-5]\d\d\b(?:, but got [1-5]\d\d\b)?`,
  text: [`"[^"]*"`, '“[^“”]*”', String.raw`(?<!\w)'[^'\n]*'(?!\w)`, '`[^`]*`'].join('|'),
  url: String.raw`\b[a-z][a-z0-9+.-]{1,15}://[^\s"'<>)\]]+`,
  time: String.raw`(?<!\w)(?:${DATE}(?:[T ]${CLOCK}${OFFSET})?|${CLOCK}(?: ?[ap]m)?)(?!\w)`,
  id: [
    String.raw`(?<!\w)[0-9a-f]{8}-${HEX4}-${HEX4}-${HEX4}-[0-9a-f]{12}(?!\w)`,
    String.raw`(?<!\w)0x[0-9a-f]+(?!\w)`,
    // Long words with a digit: hashes, tokens, ids of requests.
    String.raw`(?<!\w)(?=[a-z_]*\d)(?=\d*[a-z_])(?:[0-9a-f]{8,}|\w{16,})(?!\w)`,
  ].join('|'),
  address: [
    String.raw`(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+`,
    String.raw`(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2}|:\d{1,5})?(?![\w.]*\w)`,
    String.raw`(?<![\w:])\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])(?:\](?::\d{1,5})?)?`,
  ].join('|'),
  number: String.raw`(?<!\w)\d+(?:[.,]\d+)*`,
};

const NAMED = Object.entries(PATTERNS).map(([name, pattern]) => `(?<${name}>${pattern})`);
const CHANGING = new RegExp(NAMED.join('|'), 'gi');

/** A message without what differs from one failure to the next of the same kind: `Timed out after <number> ms`. */
export function cleanedMessage(message: string): string {
  const cleaned = withoutCallLog(message)
    .slice(0, MAX_RAW_LENGTH)
    .replaceAll(CHANGING, (match, ...rest) => placeholderOf(match, rest.at(-1)))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cleaned.slice(0, MAX_CLEANED_LENGTH);
}

/** Playwright ends the error of a wait with what it tried, which differs with the time that it had. */
function withoutCallLog(message: string): string {
  const start = message.indexOf('\nCall log:');
  return start < 0 ? message : message.slice(0, start);
}

function placeholderOf(match: string, groups: Record<string, string | undefined>): string {
  const name = Object.keys(groups).find((one) => groups[one] !== undefined);
  return name === 'kept' ? match : `<${name}>`;
}
