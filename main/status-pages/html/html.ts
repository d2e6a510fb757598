/** Markup that is safe to send: made by {@link html} only. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Value = string | number | Html | null | undefined | false | readonly Value[];

/** Markup that is written in our own sources, or was made safe by a library. */
export const trusted = (text: string): Html => new Html(text);

/**
 * Markup with values in it, HTML or XML: texts and quoted attributes are escaped, and what the template made
 * itself stays. A list stands as its members, and null, undefined and false as nothing.
 *
 * @throws Error where a value stands for an attribute without quotes: a space would end it
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  if (!SEEN.has(strings)) refuseUnquoted(strings);
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += textOf(value) + strings[index + 1];
  });
  return new Html(text);
}

/** Templates whose attributes are quoted: each stands in the sources once. */
const SEEN = new WeakSet<TemplateStringsArray>();

function refuseUnquoted(strings: TemplateStringsArray): void {
  const unquoted = strings.slice(0, -1).find((part) => /<[^>]*=\s*$/.test(part));
  if (unquoted !== undefined) throw new Error(`An attribute without quotes: ${unquoted}`);
  SEEN.add(strings);
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === null || value === undefined || value === false ? '' : escapeText(String(value));
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML has no place for, and HTML none that shows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const UNPRINTABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g;

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNPRINTABLE, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
