import type { VariableValue } from '#shared/notifications/variables.ts';
import { type Context, escapeFor } from './escape.ts';
import { isTruthy, SLOW_HELPERS, textOf } from './helpers.ts';
import type {
  Expression,
  Helper,
  HelperWorld,
  Place,
  Template,
  TemplateNode,
  Value,
} from './syntax-tree.ts';
import { TemplateError } from './template-error.ts';

/** Own members only are read. */
export type Variables = Readonly<Record<string, VariableValue>>;

/** No service takes longer messages; a loop over tags could make one of any length. */
const MAX_CHARS = 256 * 1024;
const MAX_STEPS = 50_000;
/** A helper reads its texts: each so many characters cost a step. */
const CHARS_PER_STEP = 32;

/**
 * Fills a template in. Names that are not known are nothing, as Handlebars has it.
 *
 * @throws TemplateError where the text grows beyond 256 KB
 */
export function renderTemplate(
  template: Template,
  variables: Variables,
  { context, now }: { context: Context } & HelperWorld,
): string {
  const renderer = new Renderer(variables, context, { now });
  renderer.render(template, null);
  return renderer.text;
}

class Renderer {
  text = '';
  readonly #variables: Variables;
  readonly #context: Context;
  readonly #world: HelperWorld;
  #steps = 0;
  #isQuoted = false;

  constructor(variables: Variables, context: Context, world: HelperWorld) {
    this.#variables = variables;
    this.#context = context;
    this.#world = world;
  }

  render(template: Template, place: Place | null): void {
    for (const node of template) this.#step(node, place);
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new TemplateError(`more than ${MAX_STEPS} steps`);
  }

  #step(node: TemplateNode, place: Place | null): void {
    this.#spend(1);
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        break;
      case 'print':
        this.#print(this.#valueOf(node.value, place), node.isRaw);
        break;
      case 'if': {
        const isShown = isTruthy(this.#valueOf(node.test, place));
        this.render(isShown ? node.body : node.otherwise, place);
        break;
      }
      case 'each':
        this.#each(node, place);
    }
  }

  #each(node: TemplateNode & { kind: 'each' }, place: Place | null): void {
    const list = this.#valueOf(node.list, place);
    const items = Array.isArray(list) ? list : [];
    if (items.length === 0) this.render(node.otherwise, place);
    for (const [index, item] of items.entries()) {
      const inside = { this: item, index, first: index === 0, last: index === items.length - 1 };
      this.render(node.body, inside);
    }
  }

  #valueOf(expression: Expression, place: Place | null): Value {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'variable':
        return Object.hasOwn(this.#variables, expression.name)
          ? this.#variables[expression.name]
          : undefined;
      case 'place':
        return place?.[expression.name];
      case 'call': {
        const args = expression.args.map((arg) => this.#valueOf(arg, place));
        this.#spend(costOf(expression.helper, args));
        return expression.helper(args, this.#world);
      }
    }
  }

  /** What was escaped ends no string; what is raw may. */
  #print(value: Value, isRaw: boolean): void {
    if (isRaw) this.#write(textOf(value));
    else this.#append(escapeFor(this.#context, value, this.#isQuoted));
  }

  #write(text: string): void {
    this.#append(text);
    if (this.#context === 'json') this.#isQuoted = endsQuoted(text, this.#isQuoted);
  }

  #append(text: string): void {
    this.text += text;
    if (this.text.length > MAX_CHARS) {
      throw new TemplateError(`the text is longer than ${MAX_CHARS} characters`);
    }
  }
}

/** Steps that a call counts for: the main thread does nothing else meanwhile. */
function costOf(helper: Helper, args: readonly Value[]): number {
  const chars = args.reduce<number>((sum, arg) => sum + lengthOf(arg), 0);
  return (SLOW_HELPERS.get(helper) ?? 1) + Math.ceil(chars / CHARS_PER_STEP);
}

function lengthOf(value: Value): number {
  if (Array.isArray(value)) return value.reduce((sum, { length }) => sum + length + 1, 0);
  return typeof value === 'string' ? value.length : 0;
}

/** Whether a part of a JSON text ends inside a string. */
function endsQuoted(text: string, startsQuoted: boolean): boolean {
  const quotes = text.replace(/\\./gs, '').split('"').length - 1;
  return quotes % 2 === 0 ? startsQuoted : !startsQuoted;
}
