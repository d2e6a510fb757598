import type { Check } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { MAX_SNIPPETS, type Snippet, type SnippetBody } from '#shared/variables/snippet.ts';
import { REFERENCES, usersInWords } from './references.ts';
import { Resource, type ServiceParts } from './resource.ts';
import { conflict, refuseProblems } from './service-error.ts';

/** Code that scripts of several checks share. */
export class Snippets {
  readonly #parts: ServiceParts;
  readonly #snippets: Resource<Snippet>;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    const kind = { noun: 'snippet', plural: 'snippets', counter: 'snippets', max: MAX_SNIPPETS };
    this.#snippets = new Resource(kind, parts.configuration.snippets, parts);
  }

  all(): readonly Snippet[] {
    return this.#snippets.all();
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: number): Snippet {
    return this.#snippets.find(id);
  }

  /** @throws ServiceError INVALID where the name is taken, CONFLICT where there are too many */
  create(body: SnippetBody): Promise<Snippet> {
    return this.#parts.mutex(REFERENCES, () => {
      this.#refuseTakenName(body.name, null);
      return this.#snippets.create(body);
    });
  }

  /** The next run of every check that uses it has the new code. */
  replace(id: number, body: SnippetBody): Promise<Snippet> {
    return this.#parts.mutex(REFERENCES, () => {
      const snippet = this.find(id);
      this.#refuseTakenName(body.name, snippet.id);
      return this.#snippets.change(snippet, body);
    });
  }

  /** @throws ServiceError NOT_FOUND, or CONFLICT while a check or a group names it */
  delete(id: number): Promise<void> {
    return this.#parts.mutex(REFERENCES, async () => {
      const snippet = this.find(id);
      const { checks, groups } = this.#parts.configuration;
      const users = [...checks.all(), ...groups.all()].filter((user) => namesSnippet(user, id));
      if (users.length > 0) throw conflict(`The snippet is used by ${usersInWords(users)}`);
      await this.#snippets.delete(snippet);
    });
  }

  /** Scripts require snippets by name, so no two may share one. */
  #refuseTakenName(name: string, ownId: string | null): void {
    const taken = this.all().some((one) => one.name === name && one.id !== ownId);
    if (!taken) return;
    const message = 'expected a name that no other snippet has';
    refuseProblems({ source: 'payload', problems: [{ path: 'name', message }] });
  }
}

/** Whether a check or a group names a snippet as its setup or teardown; a group does for its API checks. */
export function namesSnippet(user: Check | Group, snippetId: number): boolean {
  return (
    'setupSnippetId' in user &&
    (user.setupSnippetId === snippetId || user.tearDownSnippetId === snippetId)
  );
}
