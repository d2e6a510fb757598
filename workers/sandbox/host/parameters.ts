/** The members of a call as a realm told them. Each is looked at by its type: nothing is relied on. */
export class Parameters {
  readonly #members: Readonly<Record<string, unknown>>;

  constructor(members: unknown) {
    this.#members = typeof members === 'object' && members !== null ? { ...members } : {};
  }

  static parse(text: string): Parameters {
    return new Parameters(JSON.parse(text));
  }

  /** Empty where it is no text. */
  text(name: string): string {
    const value = this.#members[name];
    return typeof value === 'string' ? value : '';
  }

  /** Bytes, which a realm writes as a character each; undefined where there are none. */
  bytes(name: string): Buffer | undefined {
    const value = this.#members[name];
    return typeof value === 'string' ? Buffer.from(value, 'latin1') : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#members[name];
    return typeof value === 'number' ? value : undefined;
  }

  /** The members of an object that are texts. */
  texts(name: string): Record<string, string> {
    const entries = Object.entries(this.within(name).#members).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(entries);
  }

  /** The parameters in a member. */
  within(name: string): Parameters {
    return new Parameters(this.#members[name]);
  }

  /** Those of these members that are numbers. */
  numbers(names: readonly string[]): Record<string, number> {
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = this.number(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
}
