import { TemplateError } from './template-error.ts';

/** A word inside of a tag. */
export interface Token {
  kind: 'name' | 'place' | 'text' | 'number' | 'open' | 'close';
  /** Without its quotes or signs. */
  text: string;
  offset: number;
}

/** A tag of a template, as `{{#if X}}`. */
export interface Tag {
  /** `''` prints, `#` opens, `/` closes, `^` is else. */
  sign: '' | '#' | '/' | '^';
  isRaw: boolean;
  tokens: readonly Token[];
  offset: number;
}

export type Piece = string | Tag;

/** Tags and their words: a message has fewer, and these take about 10 ms at worst (measured). */
const MAX_PARTS = 2_000;

/** `{{`, what kind of tag it is, and with a tilde that blanks before it go. */
const OPENING = /\{\{(?:\{\{|\{|!--|![^}]*\}\}|[~]?[#/^&>*]?>?)/y;
const COMMENT_END = /--~?\}\}/g;
const TOKEN =
  /\s*(?:(?<end>~?\}\}\}?)|(?<open>\()|(?<close>\))|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<number>-?\d+(?:\.\d+)?)(?=[\s)}~])|@(?<place>\w+)|(?:\.\.\/)*(?<name>[\p{L}\p{N}_$-]+|\.)(?![\p{L}\p{N}_$./[-]))/uy;

/**
 * Cuts a template into its texts and tags, in one walk: the grammar of Handlebars takes seconds for
 * 16 KB of nested blocks (measured). As there, `~` eats the blanks beside it, a block tag alone on
 * its line takes the line with it, and `\{{` is no tag. Other than there, `{"n":{{X}}}` is one.
 *
 * @throws TemplateError with the place of the first thing that is no tag of ours
 */
export function splitTemplate(source: string): Piece[] {
  return new Splitter(source).split();
}

class Splitter {
  readonly #source: string;
  readonly #pieces: Piece[] = [];
  #at = 0;
  #parts = 0;

  constructor(source: string) {
    this.#source = source;
  }

  split(): Piece[] {
    for (;;) {
      const start = this.#source.indexOf('{{', this.#at);
      if (start === -1) break;
      this.#upTo(start);
    }
    this.#pieces.push(this.#source.slice(this.#at));
    return this.#pieces.filter((piece) => piece !== '');
  }

  #upTo(start: number): void {
    const before = this.#source.slice(this.#at, start);
    if (before.endsWith('\\') && !before.endsWith('\\\\')) {
      this.#pieces.push(`${before.slice(0, -1)}{{`);
      this.#at = start + 2;
      return;
    }
    this.#pieces.push(before.endsWith('\\\\') ? before.slice(0, -1) : before);
    this.#at = start;
    this.#tag();
  }

  #tag(): void {
    const start = this.#at;
    OPENING.lastIndex = start;
    const [opening = ''] = OPENING.exec(this.#source) ?? [];
    this.#at = start + opening.length;
    if (opening.startsWith('{{!')) this.#skipComment(opening, start);
    else this.#readTag(opening, start);
  }

  #readTag(opening: string, start: number): void {
    if (/[>*]|\{\{\{\{/.test(opening)) {
      throw this.#error('partials and decorators are not known', start);
    }
    const isTriple = opening === '{{{';
    const { tokens, end } = this.#tokens(isTriple);
    const isElse = tokens[0]?.kind === 'name' && tokens[0].text === 'else';
    const sign = isElse ? '^' : ((/[#/^]/.exec(opening)?.[0] ?? '') as Tag['sign']);
    const isBefore = opening.includes('~');
    this.#trim({ start, isBlock: sign !== '', isBefore, isAfter: end.startsWith('~') });
    const isRaw = isTriple || opening.includes('&');
    this.#pieces.push({ sign, isRaw, tokens: isElse ? tokens.slice(1) : tokens, offset: start });
  }

  /** The words of a tag, and the signs that it ends in. */
  #tokens(isTriple: boolean): { tokens: Token[]; end: string } {
    const tokens: Token[] = [];
    for (;;) {
      this.#count();
      const offset = this.#at;
      TOKEN.lastIndex = offset;
      const match = TOKEN.exec(this.#source);
      if (match === null) throw this.#error('this is no tag of a template', offset);
      this.#at += match[0].length;
      const { end, ...groups } = match.groups ?? {};
      if (end === undefined) tokens.push(tokenOf(groups, offset));
      else if (isTriple && !end.endsWith('}}}')) throw this.#error('expected "}}}"', offset);
      else return { tokens, end: this.#closing(end, isTriple) };
    }
  }

  /** The third brace after a tag of two is text: that of a JSON object. */
  #closing(end: string, isTriple: boolean): string {
    if (end.endsWith('}}}') && !isTriple) this.#at -= 1;
    return end;
  }

  #skipComment(opening: string, start: number): void {
    if (!opening.endsWith('}}')) {
      COMMENT_END.lastIndex = this.#at;
      const end = COMMENT_END.exec(this.#source);
      if (end === null) throw this.#error('this comment has no end', start);
      this.#at = end.index + end[0].length;
    }
    this.#trim({ start, isBlock: true, isBefore: false, isAfter: false });
  }

  #trim({ start, isBlock, isBefore, isAfter }: Blanks): void {
    const before = this.#pieces.at(-1);
    const blanks = isBlock ? this.#blanksOfLine(start) : null;
    if (typeof before === 'string') {
      const kept = before.slice(0, Math.max(0, before.length - (blanks ?? 0)));
      this.#pieces[this.#pieces.length - 1] = isBefore ? before.trimEnd() : kept;
    }
    if (isAfter) this.#skip(/\s*/y);
    else if (blanks !== null) this.#skip(/[ \t]*(?:\r?\n|$)/y);
  }

  /** How many blanks are before a tag that is alone on its line; null where it is not. */
  #blanksOfLine(start: number): number | null {
    let first = start;
    while (/[ \t]/.test(this.#source.charAt(first - 1))) first -= 1;
    const startsLine = first === 0 || this.#source.charAt(first - 1) === '\n';
    const lineEnd = /[ \t]*(?:\r?\n|$)/y;
    lineEnd.lastIndex = this.#at;
    return startsLine && lineEnd.test(this.#source) ? start - first : null;
  }

  #count(): void {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw this.#error(`more than ${MAX_PARTS} parts`, this.#at);
  }

  #skip(blanks: RegExp): void {
    blanks.lastIndex = this.#at;
    this.#at += blanks.exec(this.#source)?.[0].length ?? 0;
  }

  #error(what: string, offset: number): TemplateError {
    return new TemplateError(what, this.#source, offset);
  }
}

interface Blanks {
  start: number;
  isBlock: boolean;
  isBefore: boolean;
  isAfter: boolean;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, offset: number): Token {
  const { open, close, double, single, number, place, name = '' } = groups;
  const text = double ?? single;
  if (text !== undefined) return { kind: 'text', text, offset };
  if (number !== undefined) return { kind: 'number', text: number, offset };
  if (place !== undefined) return { kind: 'place', text: place, offset };
  if (open !== undefined || close !== undefined) {
    return { kind: open === undefined ? 'close' : 'open', text: '', offset };
  }
  return { kind: 'name', text: name, offset };
}
