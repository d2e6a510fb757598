import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pageUrlsOf } from '#shared/analytics/page-urls.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import { unpackBody } from './body-text.ts';
import { firstUuidAt } from './uuid.ts';

/** Results that are looked at for one with details. */
const LOOKED_AT = 50;

/** Reads the addresses of the pages of a browser check from the details of one of its last runs. */
export class PageUrls {
  readonly #details: StatementSync;
  readonly #passing: StatementSync;
  readonly #failing: StatementSync;

  constructor(database: DatabaseSync) {
    this.#details = database.prepare(
      `SELECT has_failures, passing_detail, failing_detail FROM results
       WHERE check_key = ? AND id >= ? AND id < ? AND final = 1 AND has_errors = 0
       ORDER BY id DESC LIMIT ${LOOKED_AT}`,
    );
    this.#passing = database.prepare('SELECT body FROM passing_details WHERE id = ?');
    this.#failing = database.prepare('SELECT body FROM failing_details WHERE id = ?');
  }

  /** Of the last run that passed, as one that failed may not have come to all pages, or else of the last one. */
  of(checkKey: number, { from, to }: TimeRange): (string | null)[] {
    const rows = this.#details.all(checkKey, firstUuidAt(from), firstUuidAt(to));
    for (const { passing_detail, failing_detail } of rows.toSorted(passedFirst)) {
      const body =
        this.#passing.get(passing_detail ?? null)?.body ??
        this.#failing.get(failing_detail ?? null)?.body;
      if (body !== undefined) return urlsIn(body as string | Uint8Array);
    }
    return [];
  }
}

type Row = Record<string, unknown>;

function passedFirst(a: Row, b: Row): number {
  return Number(a.has_failures) - Number(b.has_failures);
}

function urlsIn(body: string | Uint8Array): (string | null)[] {
  try {
    return pageUrlsOf(unpackBody(body));
  } catch {
    // Details that cannot be read cost their addresses, not the report: lists of results log what is broken.
    return [];
  }
}
