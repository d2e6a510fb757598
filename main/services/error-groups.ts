import type { History } from '#main/store/history/history.ts';
import {
  archivedAfter,
  type ErrorGroupPatch,
  type StoredErrorGroup,
} from '#shared/error-groups/error-group.ts';
import { noSuchCheck } from './checks.ts';
import type { Listed, ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

interface ErrorGroupParts extends Pick<ServiceParts, 'configuration' | 'mutex'> {
  history: Pick<History, 'listErrorGroups' | 'findErrorGroup' | 'write'>;
}

/** Whose failures are grouped. */
export type ErrorGroupScope = 'checks' | 'testSessions';

interface PageQuery {
  limit: number;
  /** From 1. */
  page: number;
}

/** Groups of failures with messages alike: read, and archived. */
export class ErrorGroups {
  readonly #parts: ErrorGroupParts;

  constructor(parts: ErrorGroupParts) {
    this.#parts = parts;
  }

  /** Those that are not archived, the last seen first. */
  list(scope: ErrorGroupScope, query: PageQuery): Promise<Listed<StoredErrorGroup>> {
    return this.#list(scope, query);
  }

  /** @throws ServiceError NOT_FOUND */
  async listOfCheck(checkId: string, query: PageQuery): Promise<Listed<StoredErrorGroup>> {
    if (this.#parts.configuration.checks.get(checkId) === undefined) throw noSuchCheck(checkId);
    return this.#list('checks', query, checkId);
  }

  /** Archived ones too. @throws ServiceError NOT_FOUND */
  async find(scope: ErrorGroupScope, id: string): Promise<StoredErrorGroup> {
    const group = await this.#parts.history.findErrorGroup(id);
    const isOfScope = group !== null && (group.checkId === null) === (scope === 'testSessions');
    if (!isOfScope) throw notFound(`No error group has the id ${id}`);
    return group;
  }

  /** Archives a group or brings it back. @throws ServiceError NOT_FOUND */
  change(scope: ErrorGroupScope, id: string, patch: ErrorGroupPatch): Promise<StoredErrorGroup> {
    return this.#parts.mutex(`error group ${id}`, async () => {
      const { archived: before } = await this.find(scope, id);
      const archived = archivedAfter(before, patch);
      await this.#parts.history.write({ errorGroupArchives: [{ id, archived }] });
      return this.find(scope, id);
    });
  }

  async #list(of: ErrorGroupScope, { limit, page }: PageQuery, checkId?: string) {
    const query = { of, checkId, limit, offset: (page - 1) * limit };
    const { groups: items, total } = await this.#parts.history.listErrorGroups(query);
    return { items, total };
  }
}
