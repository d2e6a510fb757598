import { Sketch } from '#shared/analytics/sketch.ts';
import { Summary } from '#shared/analytics/summary.ts';
import type { RollUpGroup } from './roll-up.ts';

const VERSION = 1;

/**
 * The bytes of groups: a version, then of each group its numbers and columns. Whole numbers take as few
 * bytes as they need; the bins of a sketch stand with their distance from the one before. Each column
 * begins with its length, so that a report reads only those that it shows.
 */
export function packRollUp(groups: readonly RollUpGroup[]): Uint8Array {
  const bytes = new ByteWriter();
  bytes.whole(VERSION);
  for (const { location, outcome, count, retries, values } of groups) {
    for (const number of [location, outcome, count, retries, values.length]) bytes.whole(number);
    for (const summary of values) bytes.part(packSummary(summary));
  }
  return bytes.toBytes();
}

/**
 * @param wanted places of the columns to read; the others are of no numbers
 * @throws RangeError where the bytes are none of ours
 */
export function unpackRollUp(body: Uint8Array, wanted: ReadonlySet<number> | 'all'): RollUpGroup[] {
  const bytes = new ByteReader(body);
  if (bytes.whole() !== VERSION) throw new RangeError('This is no roll-up.');
  const groups: RollUpGroup[] = [];
  while (!bytes.isAtEnd) {
    const [location, outcome, count, retries] = [
      bytes.whole(),
      bytes.whole(),
      bytes.whole(),
      bytes.whole(),
    ];
    const values = Array.from({ length: bytes.whole() }, (_, place) => {
      const part = bytes.part();
      return wanted === 'all' || wanted.has(place) ? unpackSummary(part) : new Summary();
    });
    groups.push({ location, outcome, count, retries, values });
  }
  return groups;
}

function packSummary({ moments, sketch }: Summary): Uint8Array {
  const bytes = new ByteWriter();
  bytes.whole(moments.count);
  if (moments.count === 0) return bytes.toBytes();
  for (const number of [moments.sum, moments.deviations, moments.min, moments.max]) {
    bytes.double(number);
  }
  bytes.whole(sketch.zeros);
  let last = 0;
  for (const [bin, count] of sketch.bins()) {
    bytes.signed(bin - last);
    bytes.whole(count);
    last = bin;
  }
  return bytes.toBytes();
}

function unpackSummary(bytes: ByteReader): Summary {
  const count = bytes.whole();
  if (count === 0) return new Summary();
  const [sum, deviations] = [bytes.double(), bytes.double()];
  const [min, max] = [bytes.double(), bytes.double()];
  const zeros = bytes.whole();
  const bins: [number, number][] = [];
  let bin = 0;
  while (!bytes.isAtEnd) {
    bin += bytes.signed();
    bins.push([bin, bytes.whole()]);
  }
  return new Summary({ count, sum, deviations, min, max }, new Sketch(zeros, bins));
}

/** Seven bits of a whole number in each byte, the lowest first; the eighth says that more follow. */
class ByteWriter {
  readonly #bytes: number[] = [];
  readonly #double = new DataView(new ArrayBuffer(8));

  whole(number: number): void {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) | 128);
    this.#bytes.push(rest);
  }

  signed(number: number): void {
    this.whole(number < 0 ? -2 * number - 1 : 2 * number);
  }

  double(number: number): void {
    this.#double.setFloat64(0, number, true);
    for (let place = 0; place < 8; place++) this.#bytes.push(this.#double.getUint8(place));
  }

  part(bytes: Uint8Array): void {
    this.whole(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

class ByteReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#view.byteLength;
  }

  whole(): number {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#view.getUint8(this.#at++);
      number += (byte & 127) * unit;
      if (byte < 128) return number;
    }
  }

  signed(): number {
    const number = this.whole();
    return number % 2 === 1 ? -(number + 1) / 2 : number / 2;
  }

  double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  part(): ByteReader {
    const length = this.whole();
    const start = this.#view.byteOffset + this.#at;
    this.#at += length;
    return new ByteReader(new Uint8Array(this.#view.buffer, start, length));
  }
}
