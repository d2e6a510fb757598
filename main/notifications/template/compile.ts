import { HELPERS } from './helpers.ts';
import type { Expression, Place, Template, TemplateNode, Value } from './syntax-tree.ts';
import { TemplateError } from './template-error.ts';
import { type Piece, splitTemplate, type Tag, type Token } from './tokenizer.ts';

/** Blocks in blocks, and calls in calls. */
const MAX_DEPTH = 50;

/**
 * Reads a template into the few kinds of nodes that there are: text, values, helpers of the table,
 * `if`, `unless` and `each`. There are no partials, paths or prototypes, and no code is made of it:
 * what Handlebars compiles has been talked into running other code more than once.
 *
 * @throws TemplateError with the place of what is wrong
 */
export function compileTemplate(source: string): Template {
  return new Compiler(source).compile();
}

const PLACES: ReadonlyMap<string, keyof Place> = new Map([
  ['index', 'index'],
  ['first', 'first'],
  ['last', 'last'],
]);

const LITERALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/** The words of one tag, taken one after another. */
class Words {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  take(): Token | undefined {
    const token = this.#tokens[this.#next];
    this.#next += 1;
    return token;
  }

  get left(): number {
    return this.#tokens.length - this.#next;
  }
}

class Compiler {
  readonly #source: string;
  readonly #pieces: readonly Piece[];
  #next = 0;

  constructor(source: string) {
    this.#source = source;
    this.#pieces = splitTemplate(source);
  }

  compile(): Template {
    const { body, end } = this.#body(0);
    if (end !== null) throw this.#error('this closes nothing', end);
    return body;
  }

  /** Nodes up to the tag that ends the block that they are in; null at the end of the template. */
  #body(depth: number): { body: Template; end: Tag | null } {
    const body: TemplateNode[] = [];
    for (;;) {
      const piece = this.#pieces[this.#next];
      this.#next += 1;
      if (piece === undefined) return { body, end: null };
      if (typeof piece === 'string') body.push({ kind: 'text', text: piece });
      else if (piece.sign === '#') body.push(this.#block(piece, depth + 1));
      else if (piece.sign === '') body.push(this.#print(piece, depth));
      else return { body, end: piece };
    }
  }

  #print(tag: Tag, depth: number): TemplateNode {
    return {
      kind: 'print',
      value: this.#called(new Words(tag.tokens), tag, depth),
      isRaw: tag.isRaw,
    };
  }

  /** `opened` is the tag that a chain of `{{else if …}}` began with: one end closes them all. */
  #block(tag: Tag, depth: number, opened: Tag = tag): TemplateNode {
    this.#checkDepth(tag, depth);
    const words = new Words(tag.tokens);
    const name = tag.tokens[0]?.kind === 'name' ? tag.tokens[0].text : '';
    const isPlain = name === 'if' || name === 'unless' || name === 'each';
    if (isPlain && tag.tokens.length < 2) throw this.#error(`{{#${name}}} needs one value`, tag);
    if (isPlain) words.take();
    const value = isPlain ? this.#only(words, tag, depth) : this.#call(words, tag, depth);
    const { body, end } = this.#body(depth);
    const otherwise = this.#otherwise(end, opened, depth);
    if (name === 'each') return { kind: 'each', list: value, body, otherwise };
    return name === 'unless'
      ? { kind: 'if', test: value, body: otherwise, otherwise: body }
      : { kind: 'if', test: value, body, otherwise };
  }

  #otherwise(end: Tag | null, opened: Tag, depth: number): Template {
    if (end === null) throw this.#error('this block has no end', opened);
    if (end.sign === '/') {
      this.#checkEnd(end, opened);
      return [];
    }
    if (end.tokens.length > 0) return [this.#block({ ...end, sign: '#' }, depth + 1, opened)];
    const { body, end: last } = this.#body(depth);
    if (last?.sign === '^') throw this.#error('a second {{else}}', last);
    if (last === null) throw this.#error('this block has no end', opened);
    this.#checkEnd(last, opened);
    return body;
  }

  #checkEnd(end: Tag, opened: Tag): void {
    const name = opened.tokens[0]?.text ?? '';
    const isItsEnd = end.tokens.length === 1 && end.tokens[0]?.text === name;
    if (!isItsEnd) throw this.#error(`expected {{/${name}}}`, end);
  }

  #only(words: Words, tag: Tag, depth: number): Expression {
    const value = this.#expression(words, tag, depth);
    if (words.left > 0) throw this.#error('expected one value', tag);
    return value;
  }

  /** A helper where it has arguments, or where its name is one; else a value. */
  #called(words: Words, tag: Tag, depth: number): Expression {
    const [first] = tag.tokens;
    const isCall = tag.tokens.length > 1 || (first?.kind === 'name' && HELPERS.has(first.text));
    return isCall ? this.#call(words, tag, depth) : this.#expression(words, tag, depth);
  }

  /** A helper with its arguments, up to the end of the tag or the closing bracket. */
  #call(words: Words, tag: Tag, depth: number, isInner = false): Expression {
    const token = words.take();
    const helper = token?.kind === 'name' ? HELPERS.get(token.text) : undefined;
    if (helper === undefined)
      throw this.#error(`no helper is called "${token?.text ?? ''}"`, token ?? tag);
    const args: Expression[] = [];
    while (words.left > 0) {
      const arg = this.#argument(words, tag, depth);
      if (arg !== null) args.push(arg);
      else if (isInner) return { kind: 'call', helper, args };
      else throw this.#error('")" closes nothing', tag);
    }
    if (isInner) throw this.#error('expected ")"', tag);
    return { kind: 'call', helper, args };
  }

  #expression(words: Words, tag: Tag, depth: number): Expression {
    const expression = this.#argument(words, tag, depth);
    if (expression === null) throw this.#error('expected a value', tag);
    return expression;
  }

  /** The next value; null for a closing bracket. */
  #argument(words: Words, tag: Tag, depth: number): Expression | null {
    const token = words.take();
    if (token === undefined) throw this.#error('expected a value', tag);
    this.#checkDepth(token, depth);
    switch (token.kind) {
      case 'close':
        return null;
      case 'open':
        return this.#call(words, tag, depth + 1, true);
      case 'text':
        return { kind: 'literal', value: token.text };
      case 'number':
        return { kind: 'literal', value: Number(token.text) };
      case 'place':
        return this.#place(token);
      case 'name':
        return nameOf(token.text);
    }
  }

  #place(token: Token): Expression {
    const name = PLACES.get(token.text);
    if (name === undefined) throw this.#error(`"@${token.text}" is not known`, token);
    return { kind: 'place', name };
  }

  #checkDepth(at: { offset: number }, depth: number): void {
    if (depth > MAX_DEPTH) throw this.#error('nested too deep', at);
  }

  #error(what: string, { offset }: { offset: number }): TemplateError {
    return new TemplateError(what, this.#source, offset);
  }
}

/** Variables are the same at every depth of `each`. */
function nameOf(name: string): Expression {
  if (name === 'this' || name === '.') return { kind: 'place', name: 'this' };
  if (LITERALS.has(name)) return { kind: 'literal', value: LITERALS.get(name) };
  return { kind: 'variable', name };
}
