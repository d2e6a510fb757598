import type { History, JsonText, ResultPage, ResultQuery } from '#main/store/history/history.ts';
import { RESULT_WINDOW_MS, rangeProblems } from '#shared/api/time-range.ts';
import { signingOf } from './artifacts.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, refuseProblems } from './service-error.ts';
import { timeRangeOf } from './time-range.ts';

interface Filters
  extends Omit<ResultQuery, 'checkId' | 'name' | 'offset' | 'before' | 'withTotal' | 'links'> {
  /** Where links to artifacts begin. */
  baseUrl: string;
}

interface Parts extends ServiceParts {
  history: History;
  checks: Checks;
  artifactKey: Uint8Array;
}

/** What the runs of a check found. Lists are JSON text already: they are never parsed here. */
export class CheckResults {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Results of at most 6 hours, newest first, with their total.
   *
   * @throws ServiceError NOT_FOUND, or INVALID for a longer time
   */
  async inRange(
    checkId: string,
    { baseUrl, ...filters }: Filters & { offset: number },
  ): Promise<ResultPage> {
    const { name } = this.#parts.checks.find(checkId);
    const range = timeRangeOf(filters, RESULT_WINDOW_MS, this.#parts);
    const links = signingOf(this.#parts, baseUrl);
    const query = { ...filters, ...range, checkId, name, links, withTotal: true };
    return this.#parts.history.listResults(query);
  }

  /**
   * Results of all that is kept, newest first.
   *
   * @param filters `before` is the `nextBefore` of the page before
   * @throws ServiceError NOT_FOUND, or INVALID for a time that ends before it begins
   */
  async before(
    checkId: string,
    { baseUrl, ...filters }: Filters & Pick<ResultQuery, 'before'>,
  ): Promise<ResultPage> {
    const { name } = this.#parts.checks.find(checkId);
    const { from = 0, to = Number.POSITIVE_INFINITY } = filters;
    refuseProblems({ source: 'query', problems: rangeProblems({ from, to }) });
    const links = signingOf(this.#parts, baseUrl);
    return this.#parts.history.listResults({ ...filters, checkId, name, links });
  }

  /** @throws ServiceError NOT_FOUND */
  async find(checkId: string, resultId: string, baseUrl: string): Promise<JsonText> {
    const { name } = this.#parts.checks.find(checkId);
    const links = signingOf(this.#parts, baseUrl);
    const result = await this.#parts.history.findResult({ checkId, resultId, name, links });
    if (result === null) throw notFound(`No result of this check has the id ${resultId}`);
    return result;
  }

  /** The private locations that a check runs at, by which its results can be filtered. */
  privateLocationsOf(checkId: string): readonly string[] {
    const check = this.#parts.configuration.checks.get(checkId);
    if (check === undefined || !('privateLocations' in check)) return [];
    return check.privateLocations ?? [];
  }
}
