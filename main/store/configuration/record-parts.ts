import type { AnyRecord, RecordTaker } from './collection-writer.ts';
import type { CollectionName } from './collections.ts';

/** Records of a collection on their way to the main thread. */
export interface RecordPart {
  collection: CollectionName;
  /** JSON of some records, which follow on those before; null: those before are void. */
  text: string | null;
}

/** Characters of a part: some milliseconds of the main thread. */
const PART_CHARS = 256 * 1_024;

/** Hands the records of a collection over in parts, as text, which passes between threads faster than objects. */
export class RecordParts implements RecordTaker<AnyRecord> {
  readonly #collection: CollectionName;
  readonly #hand: (part: RecordPart) => void;
  #texts: string[] = [];
  #chars = 0;

  constructor(collection: CollectionName, hand: (part: RecordPart) => void) {
    this.#collection = collection;
    this.#hand = hand;
  }

  take(record: AnyRecord): void {
    const text = JSON.stringify(record);
    this.#texts.push(text);
    this.#chars += text.length;
    if (this.#chars >= PART_CHARS) this.end();
  }

  restart(): void {
    this.#texts = [];
    this.#chars = 0;
    this.#hand({ collection: this.#collection, text: null });
  }

  /** Hands over what is left. */
  end(): void {
    if (this.#texts.length === 0) return;
    this.#hand({ collection: this.#collection, text: `[${this.#texts.join(',')}]` });
    this.#texts = [];
    this.#chars = 0;
  }
}
