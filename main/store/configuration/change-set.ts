/** A record as it stands in a file: its secrets encrypted. */
export type FiledRecord = { id: string };

/** One change of a collection, as its journal has it. */
export type FiledChange = { put: FiledRecord } | { delete: string };

/** What a row of changes makes of a list of records: of each record the last change counts. */
export class ChangeSet {
  /** The others keep the place that they have. */
  readonly #deleted = new Set<string>();
  readonly #put = new Map<string, FiledRecord>();

  constructor(changes: Iterable<FiledChange> = []) {
    for (const change of changes) this.add(change);
  }

  add(change: FiledChange): void {
    if ('put' in change) {
      this.#put.set(change.put.id, change.put);
      return;
    }
    this.#put.delete(change.delete);
    this.#deleted.add(change.delete);
  }

  get isEmpty(): boolean {
    return this.#put.size === 0 && this.#deleted.size === 0;
  }

  /**
   * What becomes of a record that the list has: undefined where it stays as it is, null where it goes.
   * @param id of anything: what has no text for an id is never changed
   */
  of(id: unknown): FiledRecord | null | undefined {
    if (typeof id !== 'string') return undefined;
    return this.#deleted.has(id) ? null : this.#put.get(id);
  }

  /** What is to follow on the records of the list, which had none of these. */
  added(listed: ReadonlySet<string>): FiledRecord[] {
    return [...this.#put.values()].filter(({ id }) => this.#deleted.has(id) || !listed.has(id));
  }

  /** The list after the changes. */
  applyTo(records: readonly unknown[]): unknown[] {
    if (this.isEmpty) return [...records];
    const listed = new Set<string>();
    const kept = records.flatMap((record) => {
      const id = idOf(record);
      const changed = this.of(id);
      if (changed === undefined) return [record];
      listed.add(id as string);
      return changed === null ? [] : [changed];
    });
    return [...kept, ...this.added(listed)];
  }
}

/** The id of whatever stands among records, which may be anything. */
export function idOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
}
