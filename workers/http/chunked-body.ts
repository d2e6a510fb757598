const MAX_LINE_BYTES = 4_096;
const MAX_TRAILER_BYTES = 16_384;
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

/** Where reading a chunked body stands after some bytes. */
export type ChunkedState = 'more' | 'done' | 'malformed';

/**
 * Takes the chunked transfer coding off a body (RFC 9112 7.1), byte by byte as it arrives. Each
 * piece of content goes to `onContent`; trailers are read over. Sizes, lines and trailers are bounded.
 */
export class ChunkedBody {
  readonly #onContent: (content: Buffer) => void;
  #step: 'size' | 'content' | 'contentEnd' | 'trailer' = 'size';
  #line = '';
  #contentLeft = 0;
  #trailerBytes = 0;

  constructor(onContent: (content: Buffer) => void) {
    this.#onContent = onContent;
  }

  push(bytes: Buffer): ChunkedState {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#step === 'content') {
        offset = this.#takeContent(bytes, offset);
        continue;
      }
      const end = bytes.indexOf(0x0a, offset);
      this.#line += bytes.toString('latin1', offset, end === -1 ? bytes.length : end);
      if (this.#line.length > MAX_LINE_BYTES) return 'malformed';
      if (end === -1) return 'more';
      offset = end + 1;
      const state = this.#takeLine();
      if (state !== 'more') return state;
    }
    return 'more';
  }

  #takeContent(bytes: Buffer, offset: number): number {
    const end = Math.min(bytes.length, offset + this.#contentLeft);
    this.#onContent(bytes.subarray(offset, end));
    this.#contentLeft -= end - offset;
    if (this.#contentLeft === 0) this.#step = 'contentEnd';
    return end;
  }

  #takeLine(): ChunkedState {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#step === 'size') return this.#takeSize(line);
    if (this.#step === 'trailer') return this.#takeTrailer(line);
    this.#step = 'size';
    return line === '' ? 'more' : 'malformed';
  }

  #takeSize(line: string): ChunkedState {
    const size = CHUNK_SIZE.exec(line)?.[1];
    if (size === undefined) return 'malformed';
    this.#contentLeft = Number.parseInt(size, 16);
    this.#step = this.#contentLeft === 0 ? 'trailer' : 'content';
    return 'more';
  }

  #takeTrailer(line: string): ChunkedState {
    if (line === '') return 'done';
    this.#trailerBytes += line.length;
    return this.#trailerBytes > MAX_TRAILER_BYTES ? 'malformed' : 'more';
  }
}
