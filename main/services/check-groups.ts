import { keepSecrets } from '#shared/checks/build-check.ts';
import type { Check } from '#shared/checks/check.ts';
import { type Group, type GroupChanges, MAX_GROUPS, type NewGroup } from '#shared/groups/group.ts';
import { membersByGroup, membersOf } from '#shared/groups/members.ts';
import { withGroup } from '#shared/groups/merge-group.ts';
import { type Checks, noSuchCheck } from './checks.ts';
import { REFERENCES, refuseUnknownIds, usersInWords } from './references.ts';
import { Resource, type ServiceParts } from './resource.ts';
import { conflict } from './service-error.ts';
import { withAutoSubscriptions, withLivingSubscriptions } from './subscriptions.ts';

interface GroupParts extends ServiceParts {
  checks: Pick<Checks, 'find'>;
}

/** Which groups are listed; a filter that is left out lets every group through. */
export interface GroupFilter {
  /** Groups that have one of these; an empty list lets every group through. */
  tag: readonly string[];
  /** Groups that have one of these names, in full. */
  name?: readonly string[] | undefined;
}

/** A group with its checks, in the order in which it runs them. */
export interface GroupWithMembers {
  group: Group;
  members: readonly Check[];
}

/** The check groups of the account. */
export class CheckGroups {
  readonly #parts: GroupParts;
  readonly #groups: Resource<Group>;

  constructor(parts: GroupParts) {
    this.#parts = parts;
    const kind = {
      noun: 'check group',
      plural: 'check groups',
      counter: 'groups',
      max: MAX_GROUPS,
    };
    this.#groups = new Resource(kind, parts.configuration.groups, parts);
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: number): Group {
    return this.#living(this.#groups.find(id));
  }

  /** In the order of their ids. */
  list({ tag, name }: GroupFilter): GroupWithMembers[] {
    const members = membersByGroup(this.#parts.configuration.checks.all());
    return this.#groups
      .all()
      .filter(
        (group) =>
          (tag.length === 0 || tag.some((one) => group.tags.includes(one))) &&
          (name === undefined || name.includes(group.name)),
      )
      .map((group) => ({
        group: this.#living(group),
        members: members.get(Number(group.id)) ?? [],
      }));
  }

  /** @throws ServiceError NOT_FOUND */
  read(id: number): GroupWithMembers {
    return { group: this.find(id), members: this.#membersOf(id) };
  }

  /** A check of a group with the group's settings. @throws ServiceError NOT_FOUND */
  findMember(id: number, checkId: string): Check {
    const group = this.find(id);
    const check = this.#parts.checks.find(checkId);
    if (check.groupId !== id) throw noSuchCheck(checkId, `check of the group ${id}`);
    return withGroup(check, group);
  }

  /**
   * Creates a group from a body that passed a create schema; channels are subscribed as to a new
   * check.
   *
   * @throws ServiceError INVALID where it names what does not exist, CONFLICT where there are too many
   */
  create(body: NewGroup, autoAssignAlerts: boolean): Promise<Group> {
    const { mutex, configuration } = this.#parts;
    return mutex(REFERENCES, () => {
      refuseUnknownIds(body, configuration);
      return this.#groups.create(withAutoSubscriptions(body, autoAssignAlerts, configuration));
    });
  }

  /** Members left out stay as they were, and a secret stays one. */
  change(id: number, body: GroupChanges): Promise<Group> {
    const { mutex, configuration } = this.#parts;
    return mutex(REFERENCES, async () => {
      const before = this.find(id);
      refuseUnknownIds(body, configuration);
      const { environmentVariables: after } = body;
      const known = before.environmentVariables ?? [];
      return this.#groups.change(before, {
        ...body,
        ...(after && { environmentVariables: keepSecrets(after, known) }),
      });
    });
  }

  /** @throws ServiceError NOT_FOUND, or CONFLICT while it holds checks */
  delete(id: number): Promise<void> {
    return this.#parts.mutex(REFERENCES, async () => {
      const { group, members } = this.read(id);
      if (members.length > 0) {
        throw conflict(`The check group still holds ${usersInWords(members)}`);
      }
      await this.#groups.delete(group);
    });
  }

  #living(group: Group): Group {
    return withLivingSubscriptions(group, this.#parts.configuration);
  }

  #membersOf(id: number): Check[] {
    return membersOf(id, this.#parts.configuration.checks.all());
  }
}
