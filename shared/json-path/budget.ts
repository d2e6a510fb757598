/** A document, or a query of it, that is more than we are ready to work through. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
}

/** Levels of nesting that are looked into. */
const MAX_DEPTH = 500;

/** Values looked at on behalf of one assertion: about 0.1 s. */
const MAX_STEPS = 2_000_000;

/** Bounds the work on one JSON document: a query may visit a value again and again. */
export class JsonBudget {
  #stepsLeft = MAX_STEPS;

  /** Accounts for looking at so many values. Throws a {@link JsonLimitError} past the bound. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new JsonLimitError('too many values to look at');
  }

  /** Throws a {@link JsonLimitError} for a value that is nested too deeply. */
  enter(depth: number): void {
    this.spend(1);
    if (depth > MAX_DEPTH) throw new JsonLimitError(`more than ${MAX_DEPTH} levels of nesting`);
  }
}
