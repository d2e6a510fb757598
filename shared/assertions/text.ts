/** Values as text, bounded, for sentences and for results that are kept. */

/** Levels of nesting that are written out; deeper ones become `…`. */
const MAX_DEPTH = 32;

/** Characters of a value that an outcome keeps. */
const MAX_ACTUAL_CHARS = 1_024;

/** Characters of a value in a sentence. */
const MAX_SENTENCE_CHARS = 200;

/** What may be shown of the first characters of a text: it cuts, and may hide what is secret. */
export type Show = (text: string, maxChars: number) => string;

/**
 * Characters beyond a cut that {@link Show} is handed, so that what lies across the cut can be told
 * from its whole.
 */
export const BEYOND_A_CUT = 128;

export interface BoundedText {
  text: string;
  /** Whether something was left out. */
  isCut: boolean;
}

/** The JSON text of a value, written no further than a number of characters. */
export function jsonText(value: unknown, maxChars: number, show: Show = cut): BoundedText {
  const writer = new JsonWriter(maxChars + BEYOND_A_CUT);
  writer.write(value, 0);
  const { text } = writer;
  return { text: shortened(text, maxChars, show), isCut: writer.isCut || text.length > maxChars };
}

/** The first characters of a text, with a mark where something is missing. */
export function shortened(text: string, maxChars: number, show: Show): string {
  const shown = show(text, maxChars);
  return text.length > maxChars ? `${shown}…` : shown;
}

/** The value as an outcome keeps it: itself, or as cut text where it is long. */
export function boundedActual(value: unknown, show: Show = cut): unknown {
  if (typeof value === 'string') return shortened(value, MAX_ACTUAL_CHARS, show);
  const { text, isCut } = jsonText(value, MAX_ACTUAL_CHARS, show);
  return isCut ? text : value;
}

/** A value in a sentence: strings in quotes, the rest as JSON. */
export function spoken(value: unknown, show: Show = cut): string {
  return jsonText(value, MAX_SENTENCE_CHARS, show).text;
}

/** The first characters of a text, never half of a surrogate pair. */
export function cut(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}

/** Writes JSON until it has enough, so that a huge value costs no more than a small one. */
class JsonWriter {
  text = '';
  isCut = false;
  readonly #maxChars: number;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  write(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#writeString(value);
    else if (typeof value !== 'object' || value === null) this.text += String(value);
    else if (depth > MAX_DEPTH) this.#leaveOut();
    else if (Array.isArray(value)) {
      this.#writeList('[', ']', value, (element) => this.write(element, depth + 1));
    } else {
      const members = value as Record<string, unknown>;
      this.#writeList('{', '}', Object.keys(members), (name) => {
        this.#writeString(name);
        this.text += ':';
        this.write(members[name], depth + 1);
      });
    }
  }

  #writeString(value: string): void {
    // One more than there is room for, so that the cut is noticed.
    this.text += JSON.stringify(value.slice(0, this.#maxChars + 1));
  }

  #writeList<T>(open: string, close: string, items: readonly T[], write: (item: T) => void): void {
    this.text += open;
    for (const [index, item] of items.entries()) {
      if (this.text.length > this.#maxChars) {
        this.#leaveOut();
        return;
      }
      if (index > 0) this.text += ',';
      write(item);
    }
    this.text += close;
  }

  #leaveOut(): void {
    this.text += '…';
    this.isCut = true;
  }
}
