import type { Monitor } from '#main/monitoring/monitor-port.ts';
import { atPace } from '#main/platform/yielding.ts';
import type { Check } from '#shared/checks/check.ts';
import { type CheckStatus, type KeptStatus, viewStatus } from '#shared/results/check-status.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

interface Parts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf'>;
  checks: Pick<Checks, 'find'>;
}

/** Rows of checks that follow one another, as JSON between commas, and what they were made from. */
interface Block {
  checks: readonly Check[];
  statuses: readonly (KeptStatus | undefined)[];
  rows: Buffer;
}

/** Blocks that follow one another, as they are sent: their rows, each after a comma or the bracket of the list. */
interface Piece {
  start: Buffer;
  blocks: readonly Block[];
  bytes: Buffer;
}

/** All rows of a block are made anew where one changed. */
const BLOCK_ROWS = 16;
/** A piece is put together anew where one of its blocks changed, and costs whoever sends it as much as some rows. */
const PIECE_BLOCKS = 16;
const PIECE_ROWS = BLOCK_ROWS * PIECE_BLOCKS;

/** By then the appliance has done what a start leaves behind. */
const AFTER_START_MS = 2_000;

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** Where checks stand by their last results. */
export class CheckStatuses {
  readonly #parts: Parts;
  readonly #pieces: Piece[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes the rows ahead, so that whoever asks first does not wait for all of them. Returns the way to stop. */
  start(): () => void {
    const { clock } = this.#parts;
    const timer = clock.setTimeout(() => void atPace(this.#steps()), AFTER_START_MS);
    return () => clock.clearTimeout(timer);
  }

  *#steps(): Generator<void, void> {
    for (const _ of this.pieces()) yield;
  }

  /** Of every check that has a result: pieces of one JSON array, made as they are asked for. */
  *pieces(): Generator<Buffer> {
    const checks = this.#parts.configuration.checks.all();
    this.#pieces.length = Math.min(this.#pieces.length, Math.ceil(checks.length / PIECE_ROWS));
    let last: Buffer | undefined;
    for (let from = 0; from < checks.length; from += PIECE_ROWS) {
      const { bytes } = this.#pieceAt(from, checks, last === undefined ? OPEN : COMMA);
      if (bytes.length === 0) continue;
      if (last !== undefined) yield last;
      last = bytes;
    }
    yield Buffer.concat([last ?? OPEN, CLOSE]);
  }

  /** @throws ServiceError NOT_FOUND, also for a check without a result */
  find(checkId: string): CheckStatus {
    const check = this.#parts.checks.find(checkId);
    const kept = this.#parts.monitor.statusOf(checkId);
    if (kept === undefined) throw notFound('This check has no result yet');
    return viewStatus(check, kept);
  }

  #pieceAt(from: number, all: readonly Check[], start: Buffer): Piece {
    const number = from / PIECE_ROWS;
    const known = this.#pieces[number];
    const end = Math.min(from + PIECE_ROWS, all.length);
    const blocks: Block[] = [];
    for (let at = from; at < end; at += BLOCK_ROWS) {
      blocks.push(this.#blockAt(at, all, known?.blocks[blocks.length]));
    }
    if (known !== undefined && known.start === start && areSame(known.blocks, blocks)) return known;
    const piece = { start, blocks, bytes: putTogether(start, blocks) };
    this.#pieces[number] = piece;
    return piece;
  }

  #blockAt(from: number, all: readonly Check[], known: Block | undefined): Block {
    if (known !== undefined && this.#isCurrent(known, from, all)) return known;
    const checks = all.slice(from, from + BLOCK_ROWS);
    const statuses = checks.map(({ id }) => this.#parts.monitor.statusOf(id));
    const rows = checks.flatMap((check, n) => {
      const kept = statuses[n];
      return kept === undefined ? [] : [viewStatus(check, kept)];
    });
    return { checks, statuses, rows: Buffer.from(JSON.stringify(rows).slice(1, -1)) };
  }

  /** Records and statuses are never changed in place. */
  #isCurrent({ checks, statuses }: Block, from: number, all: readonly Check[]): boolean {
    const { monitor } = this.#parts;
    if (checks.length !== Math.min(BLOCK_ROWS, all.length - from)) return false;
    for (const [n, check] of checks.entries()) {
      if (check !== all[from + n] || monitor.statusOf(check.id) !== statuses[n]) return false;
    }
    return true;
  }
}

function areSame(known: readonly Block[], blocks: readonly Block[]): boolean {
  return known.length === blocks.length && known.every((block, n) => block === blocks[n]);
}

/** The rows of the blocks are held in what comes of it from then on, so that there is one copy of them. */
function putTogether(start: Buffer, blocks: readonly Block[]): Buffer {
  const filled = blocks.filter(({ rows }) => rows.length > 0);
  const bytes = Buffer.concat(filled.flatMap(({ rows }, n) => [n === 0 ? start : COMMA, rows]));
  let at = 0;
  for (const block of filled) {
    const from = at + 1;
    at = from + block.rows.length;
    block.rows = bytes.subarray(from, at);
  }
  return bytes;
}
