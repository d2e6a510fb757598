/**
 * An answer of a thread as JSON text, which passes between threads several times faster than the
 * objects in it; the caller gets the value.
 */
export class JsonAnswer<T> {
  readonly text: string;

  /** @param text JSON of a `T` */
  constructor(text: string) {
    this.text = text;
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }
}
