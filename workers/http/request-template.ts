import { randomInt, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { dateText } from '#shared/templates/date-text.ts';

/** What a text became once its templates were filled in. */
export interface Rendered {
  text: string;
  /** The templates that name nothing known, once each, as they are written; they stay in the text. */
  unknown: string[];
  /** Whether the whole text would be larger than {@link MAX_RENDERED_CHARS}; it is cut then. */
  isTooLarge: boolean;
}

export const MAX_RENDERED_CHARS = 1024 * 1024;
const MAX_UNKNOWN = 20;
/** A helper costs microseconds, a phrase for a time up to 2 ms (measured); names cost nothing. */
const MAX_HELPER_CALLS = 200;

/**
 * `{{{…}}}` and `{{…}}` with anything but braces inside: no stray brace of a JSON text is taken for
 * a template, and no text makes the search slow.
 */
const MUSTACHE = /\{\{\{([^{}]{1,500})\}\}\}|\{\{([^{}]{1,500})\}\}/g;

/**
 * Fills the templates of a text in: names out of `variables`, else helpers. Plain
 * mustaches of Handlebars are all there is: no blocks, partials, paths or prototypes, and nothing
 * is compiled or run. Both kinds of braces mean the same: nothing is escaped. Values
 * are not looked through again.
 */
export function renderTemplate(
  text: string,
  variables: Readonly<Record<string, string>>,
): Rendered {
  if (!text.includes('{{')) return { text, unknown: [], isTooLarge: false };
  return new Renderer(variables).render(text);
}

class Renderer {
  readonly #variables: Readonly<Record<string, string>>;
  readonly #unknown = new Set<string>();
  #helperCalls = 0;

  constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = variables;
  }

  render(text: string): Rendered {
    let rendered = '';
    let from = 0;
    for (const match of text.matchAll(MUSTACHE)) {
      const [mustache, triple, double = ''] = match;
      rendered += text.slice(from, match.index) + this.#fillIn(mustache, (triple ?? double).trim());
      from = match.index + mustache.length;
      if (rendered.length > MAX_RENDERED_CHARS) break;
    }
    rendered += text.slice(from);
    const isTooLarge = rendered.length > MAX_RENDERED_CHARS;
    return {
      text: isTooLarge ? rendered.slice(0, MAX_RENDERED_CHARS) : rendered,
      unknown: [...this.#unknown],
      isTooLarge,
    };
  }

  #fillIn(mustache: string, inside: string): string {
    const value = this.#valueOf(inside);
    if (value !== null) return value;
    if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.add(mustache);
    return mustache;
  }

  #valueOf(inside: string): string | null {
    if (Object.hasOwn(this.#variables, inside)) return this.#variables[inside] ?? null;
    const call = parseCall(inside);
    const helper = call && HELPERS.get(call.name);
    if (!helper || ++this.#helperCalls > MAX_HELPER_CALLS) return null;
    return helper(call.args);
  }
}

/** The text for the arguments given, or null where they mean nothing. */
type Helper = (args: readonly string[]) => string | null;

const MAX_RANDOM_NUMBER = 10_000;

const load = createRequire(import.meta.url);

/** A map, so that nothing inherited counts as a helper. */
const HELPERS: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['$UUID', (args) => (args.length === 0 ? randomUUID() : null)],
  [
    '$RANDOM_NUMBER',
    (args) => (args.length === 0 ? String(randomInt(MAX_RANDOM_NUMBER + 1)) : null),
  ],
  [
    'moment',
    (args) => (args.length > 2 ? null : dateText(args, { now: new Date(), load, readsIso: false })),
  ],
]);

/** A helper's name with its arguments. */
interface HelperCall {
  name: string;
  args: readonly string[];
}

const CALL = /^([$\w]{1,50})((?:\s+(?:"[^"]{0,100}"|'[^']{0,100}')){0,3})$/;
const ARGUMENT = /"([^"]*)"|'([^']*)'/g;

/** Reads `name "text" 'text'` as Handlebars would; null for anything else. */
function parseCall(inside: string): HelperCall | null {
  const match = CALL.exec(inside);
  if (match === null) return null;
  const [, name = '', texts = ''] = match;
  const args = [...texts.matchAll(ARGUMENT)].map(([, double, single]) => double ?? single ?? '');
  return { name, args };
}
