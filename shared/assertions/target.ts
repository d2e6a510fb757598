import { type JsonBudget, JsonLimitError } from '#shared/json-path/budget.ts';
import { jsonEqual } from '#shared/json-path/value.ts';
import { canonicalDecimal, numberOf } from './decimal.ts';
import { jsonText } from './text.ts';

/** Characters of an object's JSON that are searched. */
const MAX_SEARCHED_CHARS = 1_000_000;

/** Characters of it that count for one step of the budget. */
const CHARACTERS_PER_STEP = 8;

/**
 * The value that an assertion wants. On the wire it is always a string, so what it means depends
 * on the value that it meets. What that takes is worked out once for all values of an assertion.
 */
export class Target {
  readonly text: string;
  /** The number that the text spells out, or null. */
  readonly number: number | null;
  readonly #decimal: string | null;
  readonly #budget: JsonBudget;
  #json: { value: unknown } | undefined;

  constructor(text: string, budget: JsonBudget) {
    this.text = text;
    this.number = numberOf(text);
    this.#decimal = canonicalDecimal(text);
    this.#budget = budget;
  }

  /**
   * Equality after conversion: as numbers where both sides are in decimal form,
   * deeply where the value is a list or an object, otherwise as strings. What was not found equals
   * nothing. May throw a {@link JsonLimitError}.
   */
  equals(value: unknown): boolean {
    this.#budget.spend(1);
    if (value === undefined) return false;
    if (typeof value === 'string') return value === this.text || this.#isSameDecimal(value);
    if (typeof value === 'number' && this.number !== null) return value === this.number;
    if (typeof value !== 'object' || value === null) return String(value) === this.text;
    return jsonEqual(value, this.#parsed(), this.#budget);
  }

  /** Whether the text is part of a value's text. May throw a {@link JsonLimitError}. */
  isPartOf(value: unknown): boolean {
    if (typeof value !== 'object') return String(value).includes(this.text);
    const { text, isCut } = jsonText(value, MAX_SEARCHED_CHARS);
    this.#budget.spend(1 + text.length / CHARACTERS_PER_STEP);
    if (isCut) throw new JsonLimitError('too large or too deep to search as text');
    return text.includes(this.text);
  }

  #isSameDecimal(value: string): boolean {
    return this.#decimal !== null && canonicalDecimal(value) === this.#decimal;
  }

  /** The text as JSON; `undefined`, which equals no value of a document, where it is none. */
  #parsed(): unknown {
    this.#json ??= { value: parseJson(this.text) };
    return this.#json.value;
  }
}

/** The value of a JSON text; `undefined` for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
