import type { Collection } from '#main/store/configuration/configuration.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Broadcast } from './broadcast.ts';

interface GroupChangesParts {
  checks: Pick<Collection<Check>, 'all' | 'get'>;
  broadcast: Broadcast;
  /** Has the actor of a check take the settings of its group as they are now. */
  tell(check: Check): void;
}

/** An edit of a group on its way to the actors of its checks: its settings are theirs. */
export class GroupSettingsChanges {
  readonly #parts: GroupChangesParts;
  /** Checks whose group was edited, and whose actors are yet to be told. */
  readonly #untold = new Set<string>();

  constructor(parts: GroupChangesParts) {
    this.#parts = parts;
  }

  async groupChanged(groupId: string): Promise<void> {
    const { checks, broadcast } = this.#parts;
    const members = checks.all().filter((check) => String(check.groupId) === groupId);
    const ids = members.map(({ id }) => id);
    for (const id of ids) this.#untold.add(id);
    await broadcast.to(ids, (id) => this.catchUp(id));
  }

  /** Tells one at once, for whoever is to act by the group as it is now. */
  catchUp(checkId: string): void {
    if (!this.#untold.delete(checkId)) return;
    const check = this.#parts.checks.get(checkId);
    if (check) this.#parts.tell(check);
  }
}
