import { Yielding } from '#main/platform/yielding.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import type { Snippet } from '#shared/variables/snippet.ts';
import {
  MAX_USERS_NAMED,
  requiresSnippet,
  textsIn,
  type UsersView,
  type UserView,
  usesVariable,
} from '#shared/variables/uses.ts';
import { HeavyRequests } from './heavy-requests.ts';
import type { ServiceParts } from './resource.ts';
import { namesSnippet, type Snippets } from './snippets.ts';
import type { Variables } from './variables.ts';

interface UsageParts extends Pick<ServiceParts, 'configuration'> {
  variables: Pick<Variables, 'find'>;
  snippets: Pick<Snippets, 'find'>;
}

type Candidate =
  | { kind: 'check'; record: Check }
  | { kind: 'group'; record: Group }
  | { kind: 'snippet'; record: Snippet };

/** What uses the variables and snippets of the account: looked for when somebody asks, in every text of every record. */
export class Usages {
  readonly #parts: UsageParts;
  readonly #searches = new HeavyRequests('searches for what uses something');

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /**
   * Who has a variable of that key of its own, or in its group, uses that one.
   * @param isGone whether the client hung up
   * @throws ServiceError NOT_FOUND, TOO_MANY
   */
  ofVariable(key: string, isGone: () => boolean): Promise<UsersView> {
    this.#parts.variables.find(key);
    return this.#search((candidate) => {
      if (this.#hasItsOwn(candidate, key)) return null;
      return holdsText(candidate, (text) => usesVariable(text, key)) ? { keeps: false } : null;
    }, isGone);
  }

  /** Those that name it as their setup or teardown, and those whose scripts load it. Throws as {@link ofVariable}. */
  ofSnippet(id: number, isGone: () => boolean): Promise<UsersView> {
    const { name } = this.#parts.snippets.find(id);
    return this.#search((candidate) => {
      if (candidate.kind !== 'snippet' && namesSnippet(candidate.record, id))
        return { keeps: true };
      return holdsText(candidate, (text) => requiresSnippet(text, name)) ? { keeps: false } : null;
    }, isGone);
  }

  #hasItsOwn({ kind, record }: Candidate, key: string): boolean {
    const has = (owner: Check | Group | undefined) =>
      owner !== undefined &&
      'environmentVariables' in owner &&
      owner.environmentVariables?.some((one) => one.key === key) === true;
    if (kind === 'snippet') return false;
    if (has(record)) return true;
    return kind === 'check' && has(groupOf(record, this.#parts.configuration.groups));
  }

  #search(
    use: (candidate: Candidate) => Pick<UserView, 'keeps'> | null,
    isGone: () => boolean,
  ): Promise<UsersView> {
    return this.#searches.take(async () => {
      const pace = new Yielding();
      const found: UsersView = { total: 0, users: [] };
      for (const candidate of this.#candidates()) {
        const used = use(candidate);
        if (used !== null) {
          found.total += 1;
          const { id, name } = candidate.record;
          const user = { kind: candidate.kind, id, name, ...used };
          if (found.total <= MAX_USERS_NAMED) found.users.push(user);
        }
        if (pace.isDue) await pace.rest();
      }
      return found;
    }, isGone);
  }

  *#candidates(): Generator<Candidate> {
    const { checks, groups, snippets } = this.#parts.configuration;
    for (const record of checks.all()) yield { kind: 'check', record };
    for (const record of groups.all()) yield { kind: 'group', record };
    for (const record of snippets.all()) yield { kind: 'snippet', record };
  }
}

function holdsText({ record }: Candidate, isUse: (text: string) => boolean): boolean {
  for (const text of textsIn(record)) if (isUse(text)) return true;
  return false;
}
