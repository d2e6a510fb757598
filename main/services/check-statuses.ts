import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Check } from '#shared/checks/check.ts';
import { type CheckStatus, type KeptStatus, shownStatus } from '#shared/results/check-status.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

interface Parts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf'>;
  checks: Pick<Checks, 'find'>;
}

/** Rows of checks that follow one another, as bytes of JSON, and what they were made from. */
interface Block {
  checks: readonly Check[];
  statuses: readonly (KeptStatus | undefined)[];
  bytes: Buffer;
}

/** Rows of a block: all of them are made anew where one changed. */
const BLOCK_ROWS = 16;
/** Bytes that are handed on together: each piece costs whoever sends it as much as some rows. */
const PIECE_BYTES = 64 * 1_024;

/** Where checks stand by their last results. */
export class CheckStatuses {
  readonly #parts: Parts;
  readonly #blocks: Block[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of every check that has a result: pieces of one JSON array, made as they are asked for. */
  *pieces(): Generator<Buffer> {
    const checks = this.#parts.configuration.checks.all();
    this.#blocks.length = Math.min(this.#blocks.length, Math.ceil(checks.length / BLOCK_ROWS));
    let separator = '[';
    let parts: Buffer[] = [];
    let length = 0;
    for (let from = 0; from < checks.length; from += BLOCK_ROWS) {
      const { bytes } = this.#blockAt(from, checks);
      if (bytes.length === 0) continue;
      parts.push(Buffer.from(separator), bytes);
      separator = ',';
      length += bytes.length;
      if (length < PIECE_BYTES) continue;
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
    yield Buffer.concat([...parts, Buffer.from(separator === '[' ? '[]' : ']')]);
  }

  /** @throws ServiceError NOT_FOUND, also for a check without a result */
  find(checkId: string): CheckStatus {
    const status = this.#statusOf(this.#parts.checks.find(checkId));
    if (status === undefined) throw notFound('This check has no result yet');
    return status;
  }

  #blockAt(from: number, all: readonly Check[]): Block {
    const number = from / BLOCK_ROWS;
    const known = this.#blocks[number];
    if (known !== undefined && this.#isCurrent(known, from, all)) return known;
    const checks = all.slice(from, from + BLOCK_ROWS);
    const statuses = checks.map(({ id }) => this.#parts.monitor.statusOf(id));
    const rows = checks.flatMap((check) => JSON.stringify(this.#statusOf(check)) ?? []);
    const block = { checks, statuses, bytes: Buffer.from(rows.join(',')) };
    this.#blocks[number] = block;
    return block;
  }

  /** Records and statuses are never changed in place. */
  #isCurrent({ checks, statuses }: Block, from: number, all: readonly Check[]): boolean {
    if (checks.length !== Math.min(BLOCK_ROWS, all.length - from)) return false;
    return checks.every(
      (check, n) =>
        check === all[from + n] && this.#parts.monitor.statusOf(check.id) === statuses[n],
    );
  }

  #statusOf({ id, name }: Check): CheckStatus | undefined {
    const kept = this.#parts.monitor.statusOf(id);
    if (kept === undefined) return undefined;
    return { name, checkId: id, ...shownStatus(kept) };
  }
}
