/** Where something stands in a text: from, inclusive, and to, exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** Whether a text counts where it was found. */
export type Fits = (text: string, from: number, to: number) => boolean;

/** Bits of the hash of the first characters of a piece. */
const HASH_BITS = 16;
const HASH_MASK = 2 ** HASH_BITS - 1;

/**
 * Finds every place of any of many texts in one pass. A table of hashes of their first characters
 * passes by nearly all places of a text; at the others, texts are looked up by their length, so that
 * it makes no difference how many begin alike.
 */
export class PieceIndex {
  readonly #pieces: ReadonlySet<string>;
  readonly #headChars: number;
  readonly #mayStart: Uint8Array;
  /** Lengths of the pieces that begin with a head, the longest first. */
  readonly #lengths = new Map<string, number[]>();

  /** @param headChars characters that each of the pieces has at least: 2 or 4 */
  constructor(pieces: Iterable<string>, headChars: 2 | 4) {
    this.#pieces = new Set(pieces);
    this.#headChars = headChars;
    // Most runs have nothing to hide, and should not pay for it.
    this.#mayStart = new Uint8Array(this.#pieces.size === 0 ? 0 : HASH_MASK + 1);
    for (const piece of this.#pieces) this.#add(piece);
  }

  /** In the order of the text, those that overlap or touch as one. */
  spansIn(text: string, fits: Fits = () => true): Span[] {
    const spans: Span[] = [];
    if (this.#pieces.size === 0) return spans;
    let open: Span | undefined;
    let hash = 0;
    for (let last = 0; last < text.length; last++) {
      hash = this.#next(hash, text.charCodeAt(last));
      if (this.#mayStart[hash] === 0) continue;
      const from = last + 1 - this.#headChars;
      const to = this.#endAt(text, from, fits);
      if (to === 0) continue;
      if (open && from <= open.to) {
        open.to = Math.max(open.to, to);
        continue;
      }
      open = { from, to };
      spans.push(open);
    }
    return spans;
  }

  /** Where the longest piece ends that begins at a place; 0 where none does. */
  #endAt(text: string, from: number, fits: Fits): number {
    const lengths = this.#lengths.get(text.slice(from, from + this.#headChars)) ?? [];
    for (const length of lengths) {
      const piece = text.slice(from, from + length);
      if (this.#pieces.has(piece) && fits(text, from, from + piece.length)) {
        return from + piece.length;
      }
    }
    return 0;
  }

  #add(piece: string): void {
    let hash = 0;
    for (let at = 0; at < this.#headChars; at++) hash = this.#next(hash, piece.charCodeAt(at));
    this.#mayStart[hash] = 1;
    const head = piece.slice(0, this.#headChars);
    const lengths = this.#lengths.get(head);
    if (!lengths) this.#lengths.set(head, [piece.length]);
    else if (!lengths.includes(piece.length)) {
      lengths.push(piece.length);
      lengths.sort((a, b) => b - a);
    }
  }

  /** Of as many characters as a head has; one more, and the first is gone. */
  #next(hash: number, unit: number): number {
    return ((hash << (HASH_BITS / this.#headChars)) ^ unit) & HASH_MASK;
  }
}
