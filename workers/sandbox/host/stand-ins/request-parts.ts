// What a bundled library hands to `fetch` beside the address, in place of the globals of these names.

/** Tells that it was aborted and stops nothing: a request of a script ends with the script. */
export class AbortController {
  readonly signal = { aborted: false };

  abort(): void {
    this.signal.aborted = true;
  }
}

/** Header fields by name, each once: `fetch` reads the entries. */
export class Headers extends Map<string, string> {}
