import { FormIndex } from './form-index.ts';
import { REDACTED, type Secrets } from './redact.ts';
import { SecretForms, shortFormsOf } from './secret-forms.ts';

/** Takes secrets out of a text that is about to be kept. */
export type Scrub = (text: string) => string;

const secretForms = new SecretForms();

/**
 * Takes secrets out of texts, wherever they turn up and in every form of them; short ones only where
 * they stand alone or behind their parameter's name. Null where there is nothing to look for.
 */
export function createScrubber({ texts, words, parameters }: Secrets): Scrub | null {
  if (texts.length + words.length + parameters.length === 0) return null;
  const forms = longestFirst(texts.flatMap((text) => secretForms.of(text)));
  const index = new FormIndex(forms);
  const cutWindow = Math.min(forms[0]?.length ?? 0, CUT_WINDOW_CHARS);
  const pairs = parameters.map(pairPattern);
  const alone = words.length === 0 ? null : wordPattern(longestFirst(words.flatMap(shortFormsOf)));
  return (text) => {
    const hidden = hideForms(text, index);
    const rest = pairs.reduce((scrubbed, pair) => scrubbed.replace(pair, `$1${REDACTED}`), hidden);
    const whole = alone === null ? rest : rest.replace(alone, REDACTED);
    return hideCutForms(whole, index, cutWindow);
  };
}

function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** How far before the end of a secret another is looked for that begins inside it. */
const MAX_OVERLAP_CHARS = 64;

/**
 * Hides forms from the left to the right, where several begin at one place the longest. Two that
 * overlap by at most MAX_OVERLAP_CHARS or touch are hidden as one; of one that overlaps another by
 * more, the end stays.
 */
function hideForms(text: string, index: FormIndex): string {
  let shown = '';
  let end = 0;
  for (let found = index.next(text, 0); found; ) {
    shown += text.slice(end, found.from) + REDACTED;
    end = found.to;
    for (found = inside(found); found && found.from <= end; found = inside(found)) {
      end = Math.max(end, found.to);
    }
  }
  return shown + text.slice(end);

  function inside({ from, to }: { from: number; to: number }) {
    return index.next(text, Math.max(from + 1, to - MAX_OVERLAP_CHARS));
  }
}

/** Texts that are no part of a longer word or number. */
function wordPattern(words: readonly string[]): RegExp {
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])`, 'gu');
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
function hideCutForms(text: string, index: FormIndex, window: number): string {
  if (text.length < MIN_CUT_CHARS) return text;
  return text
    .split('…')
    .map((piece) => hideCutForm(piece, index, window))
    .join('…');
}

function hideCutForm(piece: string, index: FormIndex, window: number): string {
  const cut = index.nextCut(piece, Math.max(0, piece.length - window));
  return cut ? piece.slice(0, cut.from) + REDACTED : piece;
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
