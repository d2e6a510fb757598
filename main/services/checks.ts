import { randomUUID } from 'node:crypto';
import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Problem } from '#shared/api/problems.ts';
import { buildCheck, changedCheck } from '#shared/checks/build-check.ts';
import { CHECK_KINDS, type Check } from '#shared/checks/check.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import { checkRules, wholeCheckRules } from '#shared/checks/rules.ts';
import type { Members } from '#shared/checks/schemas.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupOf, tagsOf, withGroup } from '#shared/groups/merge-group.ts';
import { statusWord } from '#shared/results/check-status.ts';
import type { CodeBundles } from './code-bundles.ts';
import { indexPingTokens, type PingTokens, pingTokenOf } from './ping-tokens.ts';
import { REFERENCES, refuseUnknownIds } from './references.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, refuseProblems } from './service-error.ts';
import { withAutoSubscriptions, withLivingSubscriptions } from './subscriptions.ts';

interface CheckParts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf'>;
  codeBundles: Pick<CodeBundles, 'refuseUnknown'>;
}

/** Which checks are listed; a filter that is left out lets every check through. */
export interface CheckFilter {
  checkType?: CheckType | undefined;
  /** Checks that have one of these; an empty list lets every check through. */
  tag: readonly string[];
  /** A part of the name, in any case. */
  search?: string | undefined;
  status?: 'passing' | 'failing' | 'degraded' | undefined;
  /** A part of the URL of API checks. */
  apiCheckUrlFilterPattern?: string | undefined;
  /** Whether a check's tags are those of its group as well. */
  applyGroupSettings: boolean;
}

/** The checks of the account. */
export class Checks {
  readonly #parts: CheckParts;
  /** Every token belongs to one check only. */
  readonly pingTokens: PingTokens;

  constructor(parts: CheckParts) {
    this.#parts = parts;
    this.pingTokens = indexPingTokens(parts.configuration.checks);
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): Check {
    const check = this.#parts.configuration.checks.get(id);
    if (check === undefined) throw noSuchCheck(id);
    return this.#living(check);
  }

  /** The check of an id, which is of the type given. @throws ServiceError NOT_FOUND */
  findOf<T extends CheckType>(type: T, id: string): Extract<Check, { checkType: T }> {
    const check = this.#parts.configuration.checks.get(id);
    if (check?.checkType !== type) throw noSuchCheck(id, CHECK_KINDS[type].noun);
    return this.#living(check) as Extract<Check, { checkType: T }>;
  }

  /** In the order of creation, as they are stored: {@link shown} and {@link merged} are for those of a page. */
  list(filter: CheckFilter): readonly Check[] {
    return this.#parts.configuration.checks.all().filter(this.#matching(filter));
  }

  /** A check without the settings of its group. */
  shown(check: Check): Check {
    return this.#living(check);
  }

  /** A check with the settings of its group. */
  merged(check: Check): Check {
    return this.#living(withGroup(check, this.#groupOf(check)));
  }

  /**
   * Creates a check from a body that passed the create schema of its type. With `autoAssignAlerts`
   * every channel is subscribed to it, else those that subscribe new checks by themselves.
   *
   * @throws ServiceError INVALID where it names what does not exist, or a ping token that is taken
   */
  async create(type: CheckType, body: Members, autoAssignAlerts: boolean): Promise<Check> {
    const { configuration, clock } = this.#parts;
    refuseUnknownIds(body, configuration);
    await this.#refuseUnknownProject(body);
    const identity = { id: randomUUID(), now: clock.now(), pingToken: randomUUID() };
    const check = buildCheck(type, body, identity);
    return this.#save(withAutoSubscriptions(check, autoAssignAlerts, configuration));
  }

  /**
   * A check as it would be, with the settings of its group, and saved nowhere: by a body that passed the
   * create schema of its type.
   *
   * @param id of the check that it would be in place of, whose secrets it keeps where the body has none
   * @throws ServiceError as to create or change it does
   */
  async unsaved(type: CheckType, body: Members, id?: string): Promise<Check> {
    const { configuration, clock } = this.#parts;
    const now = clock.now();
    const before = id === undefined ? undefined : this.findOf(type, id);
    refuseUnknownIds(body, configuration);
    await this.#refuseUnknownProject(body, before);
    const identity = { id: randomUUID(), now, pingToken: randomUUID() };
    const check = before ? changedCheck(before, body, now) : buildCheck(type, body, identity);
    return this.merged(check);
  }

  /**
   * Changes a check by a body that passed the update schema: members left out stay as they were.
   *
   * @param type what the check has to be; undefined for any
   * @throws ServiceError NOT_FOUND; INVALID where the body breaks a rule together with what is kept
   */
  change(id: string, body: Members, type?: CheckType): Promise<Check> {
    const { mutex, configuration, clock } = this.#parts;
    return mutex(checkKey(id), async () => {
      const before = this.find(id);
      if (type !== undefined && before.checkType !== type) {
        throw noSuchCheck(id, CHECK_KINDS[type].noun);
      }
      refuseUnknownIds(body, configuration);
      const changed = changedCheck(before, body, clock.now());
      refuseBrokenRules(changed, before);
      await this.#refuseUnknownProject(body, before);
      return this.#save(changed);
    });
  }

  /** Deletes a check; its history goes with it. @throws ServiceError NOT_FOUND */
  delete(id: string): Promise<void> {
    const { mutex, configuration } = this.#parts;
    return mutex(checkKey(id), async () => {
      if (!(await configuration.checks.delete(id))) throw noSuchCheck(id);
    });
  }

  /** What is stored already may be sent again, also where it is gone. */
  async #refuseUnknownProject({ codeBundlePath }: Members, before: object = {}): Promise<void> {
    if (typeof codeBundlePath !== 'string') return;
    if ((before as Members).codeBundlePath === codeBundlePath) return;
    await this.#parts.codeBundles.refuseUnknown(codeBundlePath);
  }

  #living(check: Check): Check {
    return withLivingSubscriptions(check, this.#parts.configuration);
  }

  #groupOf(check: Check): Group | undefined {
    return groupOf(check, this.#parts.configuration.groups);
  }

  /** Looks at checks as the list shows them. Of what filters look at, groups change the tags alone. */
  #matching(filter: CheckFilter): (check: Check) => boolean {
    const { checkType, tag, search, status, apiCheckUrlFilterPattern: urlPart } = filter;
    const words = search?.toLowerCase();
    const hasTag = (check: Check) => {
      const tags = tagsOf(check, filter.applyGroupSettings ? this.#groupOf(check) : undefined);
      return tag.some((one) => tags.includes(one));
    };
    return (check) =>
      (checkType === undefined || check.checkType === checkType) &&
      (tag.length === 0 || hasTag(check)) &&
      (words === undefined || check.name.toLowerCase().includes(words)) &&
      (urlPart === undefined ||
        (check.checkType === 'API' && check.request.url.includes(urlPart))) &&
      (status === undefined || this.#statusOf(check) === status);
  }

  #statusOf({ id }: Check): string | undefined {
    const status = this.#parts.monitor.statusOf(id);
    return status && statusWord(status);
  }

  /** Saves a check; what it names exists, and its ping token is no other check's. */
  async #save(check: Check): Promise<Check> {
    const { mutex, configuration } = this.#parts;
    const references = newReferences(check, configuration.checks.get(check.id));
    if (Object.keys(references).length === 0) return this.#put(check);
    return mutex(REFERENCES, () => {
      // What it names may have been deleted while it waited for its turn.
      refuseUnknownIds(references, configuration);
      return this.#put(check);
    });
  }

  async #put(check: Check): Promise<Check> {
    const { mutex, configuration } = this.#parts;
    const token = pingTokenOf(check);
    const put = () => configuration.checks.put(check);
    if (token === undefined) await put();
    else {
      await mutex(`ping token ${token}`, () => {
        this.#refuseTakenToken(check.id, token);
        return put();
      });
    }
    return check;
  }

  #refuseTakenToken(checkId: string, token: string): void {
    const owner = this.pingTokens.checkOf(token);
    if (owner === undefined || owner === checkId) return;
    const message = 'expected a token that no other check has';
    refuseProblems({ source: 'payload', problems: [{ path: 'heartbeat.pingToken', message }] });
  }
}

export function noSuchCheck(id: string, noun = 'check'): Error {
  return notFound(`No ${noun} has the id ${id}`);
}

/** Changes of one check wait for each other, so that none is lost between a read and a write. */
export const checkKey = (checkId: string): string => `check ${checkId}`;

/**
 * The rules between members, for a check whose members come from two requests. What the stored check
 * breaks already, being older than a rule, does not stand in the way of other changes.
 */
function refuseBrokenRules(check: Check, before: Check): void {
  const known = new Set(brokenRules(before).map(({ path }) => path));
  const problems = brokenRules(check).filter(({ path }) => !known.has(path));
  refuseProblems({ source: 'payload', problems });
}

function brokenRules(check: Check): Problem[] {
  const members = check as unknown as Members;
  const rules = [checkRules, wholeCheckRules];
  const broken = rules.flatMap((rule) => rule(check.checkType, members));
  return broken.map(({ path, message }) => ({ path: path.join('.'), message }));
}

/** What may be deleted only while no check names it. */
const REFERRING = ['groupId', 'setupSnippetId', 'tearDownSnippetId', 'triggerIncident'];

/**
 * The references that a check did not have before. Only they wait for their turn: nobody deletes
 * what the check that is stored names already.
 */
function newReferences(check: Check, before: Check | undefined): Members {
  const [now, then] = [check, before ?? {}] as unknown as Members[];
  const added = REFERRING.filter((name) => now?.[name] != null && now[name] !== then?.[name]);
  return Object.fromEntries(added.map((name) => [name, now?.[name]]));
}
