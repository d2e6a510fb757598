import { inSlices } from '#main/platform/yielding.ts';
import type { Collection } from '#main/store/configuration/configuration.ts';
import type { Check } from '#shared/checks/check.ts';

/** Actors that are notified in one turn of the event loop: a few milliseconds. */
const AT_ONCE = 25;

/** Notifies many checks' actors of one change, in slices: other actors and requests have their turn in between. */
export class Broadcast {
  readonly #failed: (checkId: string, error: unknown) => void;
  #isStopped = false;

  /** @param failed called with the check whose notification threw; the others are notified all the same */
  constructor(failed: (checkId: string, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Resolves when all are notified, or at the stop; never rejects. */
  async to(checkIds: readonly string[], notify: (checkId: string) => void): Promise<void> {
    for await (const some of inSlices(checkIds, AT_ONCE)) {
      if (this.#isStopped) return;
      for (const checkId of some) this.#notifyOne(checkId, notify);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  #notifyOne(checkId: string, notify: (checkId: string) => void): void {
    try {
      notify(checkId);
    } catch (error) {
      this.#failed(checkId, error);
    }
  }
}

interface GroupChangesParts {
  checks: Pick<Collection<Check>, 'all' | 'get'>;
  broadcast: Broadcast;
  /** Gives the actor of a check the settings of its group as they are now. */
  notify(check: Check): void;
}

/** Brings the edit of a group to the actors of its checks, which run by the settings of their group. */
export class GroupSettingsChanges {
  readonly #parts: GroupChangesParts;
  /** Checks whose group was edited, and whose actors do not know it yet. */
  readonly #pending = new Set<string>();

  constructor(parts: GroupChangesParts) {
    this.#parts = parts;
  }

  async groupChanged(groupId: string): Promise<void> {
    const { checks, broadcast } = this.#parts;
    const members = checks.all().filter((check) => String(check.groupId) === groupId);
    const ids = members.map(({ id }) => id);
    for (const id of ids) this.#pending.add(id);
    await broadcast.to(ids, (id) => this.catchUp(id));
  }

  /** Notifies one actor at once, before it is to act by the group as it is now. */
  catchUp(checkId: string): void {
    if (!this.#pending.delete(checkId)) return;
    const check = this.#parts.checks.get(checkId);
    if (check) this.#parts.notify(check);
  }
}
