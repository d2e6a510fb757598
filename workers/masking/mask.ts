import { setImmediate } from 'node:timers/promises';
import { BEYOND_A_CUT, cut } from '#shared/assertions/text.ts';
import { PieceIndex, type Span } from './piece-index.ts';
import { inOneCase, isWorthHiding, type SecretForms, shortFormsOf } from './secret-forms.ts';

/** What stands in the place of a secret. */
export const REDACTED = '***';

/** What must not be kept. */
export interface Secrets {
  /** Wherever they stand, in every form; those that are too short for that only as whole words. */
  values: Iterable<string>;
  /** Where the value stands behind its parameter's name in a URL. */
  parameters?: readonly { key: string; value: string }[];
}

/** Characters of a message that are kept. A script host leaves more, so that it cuts no secret. */
export const MAX_MESSAGE_CHARS = 1_800;

/** Characters that are looked at in one turn: some ten milliseconds. */
const TURN_CHARS = 256 * 1024;

/** A single character says nothing, and would be found in every second address. */
const MIN_WORD_CHARS = 2;

/** Members whose own members' names and values somebody else chose. */
const FREELY_CHOSEN: ReadonlySet<string> = new Set(['headers', 'params', 'actual']);

/**
 * Takes secrets out of all that is kept of a run, in whatever form and case they stand there, in one
 * pass over a text. What a text is cut to, it cuts itself, since of a secret across a cut the first
 * part could not be told any more.
 */
export class Mask {
  readonly #texts: PieceIndex;
  readonly #words: PieceIndex;
  readonly #parameters: RegExp | null;
  readonly #isEmpty: boolean;

  constructor({ values, parameters = [] }: Secrets, forms: SecretForms) {
    const unique = [...new Set(values)];
    const words = unique.filter((it) => it.length >= MIN_WORD_CHARS && !isWorthHiding(it));
    const texts = unique.filter(isWorthHiding);
    this.#texts = new PieceIndex(
      texts.flatMap((text) => forms.of(text)),
      4,
    );
    this.#words = new PieceIndex(words.flatMap(shortFormsOf), 2);
    this.#parameters = parameters.length === 0 ? null : parameterPattern(parameters);
    this.#isEmpty = texts.length + words.length + parameters.length === 0;
  }

  /** The whole text. */
  text(text: string): string {
    return this.start(text, text.length);
  }

  /** The whole of a text of any length, in turns, so that nobody else waits for it. */
  async longText(text: string): Promise<string> {
    if (this.#isEmpty) return text;
    let shown = '';
    for (let from = 0; from < text.length; ) {
      const turn = Math.min(TURN_CHARS, text.length - from);
      const masked = this.#masked(text.slice(from, from + turn + BEYOND_A_CUT), turn);
      shown += masked.shown;
      from += masked.chars;
      await setImmediate();
    }
    return shown;
  }

  /** What may be shown of the first characters of a text. */
  start(text: string, maxChars: number): string {
    const start = cut(text, maxChars);
    if (this.#isEmpty) return start;
    return this.#masked(text.slice(0, start.length + BEYOND_A_CUT), start.length).shown;
  }

  /** The first characters of a text, and how many these are together with a secret across their end. */
  #masked(text: string, maxChars: number): { shown: string; chars: number } {
    let shown = '';
    let end = 0;
    for (const { from, to } of this.#spansIn(text)) {
      if (from >= maxChars) break;
      shown += text.slice(end, from) + REDACTED;
      end = to;
    }
    return { shown: shown + text.slice(end, maxChars), chars: Math.max(end, maxChars) };
  }

  /**
   * A copy of plain data with every text in it masked; where somebody else chose the members, also
   * their names, and numbers and the like that print as a secret.
   */
  data<T>(data: T): T {
    return this.#isEmpty ? data : (this.#copy(data, false) as T);
  }

  #copy(data: unknown, isFree: boolean): unknown {
    if (typeof data === 'string') return this.text(data);
    if (data === null || typeof data !== 'object') return isFree ? this.#printed(data) : data;
    if (Array.isArray(data)) return data.map((item) => this.#copy(item, isFree));
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        isFree ? this.text(name) : name,
        this.#copy(value, isFree || FREELY_CHOSEN.has(name)),
      ]),
    );
  }

  /** A number, a truth value, null: a text only where a secret is in what it prints as. */
  #printed(value: unknown): unknown {
    const printed = String(value);
    const masked = this.text(printed);
    return masked === printed ? value : masked;
  }

  #spansIn(text: string): Span[] {
    const folded = inOneCase(text);
    const words = this.#words.spansIn(folded, isAlone);
    const parameters = this.#parameters ? parametersIn(folded, this.#parameters) : [];
    const texts = this.#texts.spansIn(folded);
    return words.length + parameters.length === 0 ? texts : united(texts, words, parameters);
  }
}

function united(...lists: readonly Span[][]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of lists.flat().sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{N}_]/u;

/** Whether what stands there is no part of a longer word or number. */
function isAlone(text: string, from: number, to: number): boolean {
  return (
    !ENDS_IN_WORD.test(text.slice(Math.max(0, from - 2), from)) &&
    !BEGINS_WITH_WORD.test(text.slice(to, to + 2))
  );
}

/** Query parameters with their values, as a URL has them. */
function parameterPattern(parameters: readonly { key: string; value: string }[]): RegExp {
  const any = parameters.map(({ key, value }) => `${asPattern(key)}=${asPattern(value)}`);
  return new RegExp(`[?&;](?:${any.join('|')})(?![\\w%.~-])`, 'g');
}

/** Of what stays in a URL as it is, these four mean something in a pattern. */
function asPattern(text: string): string {
  return inOneCase(encodeURIComponent(text.toWellFormed())).replace(/[.*()]/g, '\\$&');
}

function parametersIn(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ 0: pair, index }) => ({
    from: index + pair.indexOf('=') + 1,
    to: index + pair.length,
  }));
}
