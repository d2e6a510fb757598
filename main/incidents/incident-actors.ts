import { type ActorRefFrom, createActor } from 'xstate';
import type { Log } from '#main/platform/log.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { History } from '#main/store/history/history.ts';
import type { Check } from '#shared/checks/check.ts';
import { onOneLine } from '#shared/incidents/automatic-incident.ts';
import type { Finding } from '#shared/incidents/automatic-updates.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { incidentMailing } from '#shared/status-pages/incident-mailing.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import { incidentMachine } from './incident.machine.ts';
import type {
  AutomatedIncidents,
  CheckOutcome,
  IncidentAutomation,
  IncidentDecision,
  IncidentRecords,
} from './incident-port.ts';
import type { MailingPort } from './mailing-port.ts';
import { type OpeningParts, openIncident } from './open-incident.ts';

export interface IncidentActorsParts extends OpeningParts {
  history: Pick<History, 'write' | 'loadAutomatedIncidents'>;
  mailings: MailingPort;
  log: Pick<Log, 'warn' | 'error'>;
}

/** An incident with its actor. */
interface Held {
  checkId: string;
  actor: ActorRefFrom<typeof incidentMachine>;
  /** The newest revision that is known to be written. */
  written: number;
  /** The incident of the check before it, whose end was not written when the check failed anew. */
  former: Held | undefined;
}

const PAGE = 100;

/** What an outcome does to the incident of its check. */
const EVENTS = { failing: 'FAILS', degraded: 'DEGRADED', passing: 'PASSES' } as const;

/**
 * Holds an actor for every open incident that automation looks after, at most one for each check. What they
 * change is for the transaction of the result that caused it, and comes again with each further result
 * of the check until it is known to be written.
 */
export class IncidentActors implements AutomatedIncidents, IncidentAutomation {
  readonly #parts: IncidentActorsParts;
  /** The open incident of a check, or its last one until that is written. */
  readonly #byCheck = new Map<string, Held>();
  /** The same by incident, and what was let go of until that is written. */
  readonly #byId = new Map<string, Held>();

  constructor(parts: IncidentActorsParts) {
    this.#parts = parts;
  }

  /** Takes up the open incidents; those of checks that are gone are left to people. Rejects as the store. */
  async start(): Promise<void> {
    const { history } = this.#parts;
    let page: StoredIncident[] = [];
    do {
      page = await history.loadAutomatedIncidents({ after: page.at(-1)?.id, limit: PAGE });
      for (const incident of page) this.#takeUp(incident);
    } while (page.length === PAGE);
  }

  get size(): number {
    return this.#byCheck.size;
  }

  find(incidentId: string): StoredIncident | undefined {
    const held = this.#byId.get(incidentId);
    return held && incidentOf(held);
  }

  change(incident: StoredIncident): () => void {
    const held = this.#byId.get(incident.id);
    if (held === undefined) return () => {};
    const before = incidentOf(held);
    if (isOpen(held)) held.actor.send({ type: 'CHANGED', incident });
    if (!isOpen(held)) this.#drop(held);
    return () => this.#takeBack(held, before, incident);
  }

  after(outcome: CheckOutcome): IncidentDecision {
    const { check, standing } = outcome;
    const held = this.#byCheck.get(check.id);
    const incidentId = standing === 'passing' ? undefined : outcome.incidentId;
    if (held === undefined && check.triggerIncident === null) return { incidentId, records: {} };
    const before = held && incidentOf(held);
    const current = held && isOpen(held) ? this.#advance(held, outcome) : this.#open(outcome);
    const concerned = current ?? held;
    if (concerned === undefined) return { incidentId, records: {} };
    return {
      incidentId: isOpen(concerned) ? incidentOf(concerned).id : incidentId,
      records: this.#recordsOf(concerned, before),
    };
  }

  kept({ incidents = [], mailings = [] }: IncidentRecords): void {
    for (const { id, revision } of incidents) {
      const held = this.#byId.get(id);
      if (held === undefined) continue;
      held.written = Math.max(held.written, revision);
      if (!isOpen(held) && isWritten(held)) this.#drop(held);
    }
    if (mailings.length > 0) this.#parts.mailings.enqueue(mailings);
  }

  deleted({ id }: Pick<Check, 'id'>): void {
    const held = this.#byCheck.get(id);
    this.#byCheck.delete(id);
    if (held && isOpen(held)) void this.#letGo(held);
  }

  #takeUp(incident: StoredIncident): void {
    const { checks } = this.#parts.configuration;
    const checkId = incident.automation?.checkId ?? '';
    this.#hold(checkId, incident, incident.revision);
    // A check that cannot be read is not gone.
    if (checks.get(checkId) === undefined && checks.unreadable === 0) this.deleted({ id: checkId });
  }

  #advance(held: Held, outcome: CheckOutcome): Held {
    const { standing, isFlapping, failureAlert } = outcome;
    // A check that flaps would have an update with each of its runs.
    const isSaid = standing === 'passing' || !isFlapping || failureAlert !== null;
    if (isSaid) held.actor.send({ type: EVENTS[standing], finding: this.#finding(outcome) });
    return held;
  }

  #open(outcome: CheckOutcome): Held | undefined {
    if (outcome.incidentId !== undefined) return undefined;
    const incident = openIncident(outcome, this.#finding(outcome), this.#parts);
    return incident === null ? undefined : this.#hold(outcome.check.id, incident, 0);
  }

  #finding({ check: { name }, at }: CheckOutcome): Finding {
    const now = this.#parts.clock.now();
    return { checkName: onOneLine(name), at, now, updateId: uuidAt(now) };
  }

  #hold(checkId: string, incident: StoredIncident, written: number): Held {
    const actor = createActor(incidentMachine, { input: { incident } });
    const last = this.#byCheck.get(checkId);
    const held: Held = { checkId, actor, written, former: formerOf(incident, last) };
    actor.subscribe({
      error: (err) => {
        const message = 'The incident of a check failed; a restart takes it up.';
        this.#parts.log.error({ err, checkId, incidentId: incident.id }, message);
        this.#drop(held);
      },
    });
    actor.start();
    if (last && last !== held.former) this.#drop(last);
    this.#byCheck.set(checkId, held);
    this.#byId.set(incident.id, held);
    return held;
  }

  #drop(held: Held): void {
    const { id } = incidentOf(held);
    if (this.#byId.get(id) === held) this.#byId.delete(id);
    if (this.#byCheck.get(held.checkId) === held) this.#byCheck.delete(held.checkId);
  }

  /** What of an incident is to be written; `before` is the version that was known. */
  #recordsOf(held: Held, before: StoredIncident | undefined): IncidentRecords {
    const incidents = unwrittenOf(held);
    if (incidents.length === 0) return {};
    const incident = incidentOf(held);
    const mailing = incident === before ? null : this.#mailingOf(incident);
    return { incidents, ...(mailing && { mailings: [mailing] }) };
  }

  #mailingOf(incident: StoredIncident): StoredMailing | null {
    const { configuration, clock } = this.#parts;
    const update = incident.updates.at(-1);
    const at = clock.now();
    const pages = configuration.statusPages.all();
    return update ? incidentMailing(incident, update, pages, { id: uuidAt(at), at }) : null;
  }

  /** Undoes a person's change that was not written, unless automation moved on from it. */
  #takeBack(held: Held, before: StoredIncident, change: StoredIncident): void {
    const incident = incidentOf(held);
    const other = this.#byCheck.get(held.checkId);
    if ((incident !== change && incident !== before) || (other && other !== held)) return;
    // With the revision of the change, so that the next one is newer wherever that one was written.
    this.#hold(held.checkId, { ...before, revision: change.revision }, held.written);
  }

  /** Leaves the incident of a check that is gone to people. */
  async #letGo(held: Held): Promise<void> {
    const { clock, history, log } = this.#parts;
    held.actor.send({ type: 'LET_GO', now: clock.now() });
    const incident = incidentOf(held);
    const { id: incidentId, name } = incident;
    const { checkId } = held;
    log.warn(
      { incidentId, checkId },
      `The check of "${name}" is gone: only people resolve it now.`,
    );
    try {
      await history.write({ incidents: unwrittenOf(held) });
    } catch (error) {
      const message =
        'An incident whose check is gone was not written; the next start tries again.';
      log.error({ err: error, incidentId }, message);
    }
    this.#drop(held);
  }
}

function incidentOf({ actor }: Held): StoredIncident {
  return actor.getSnapshot().context.incident;
}

function isOpen({ actor }: Held): boolean {
  return actor.getSnapshot().status === 'active';
}

function isWritten(held: Held): boolean {
  return held.written >= incidentOf(held).revision;
}

/**
 * What comes with the records of an incident until it is written: the one of its check before, where that is open in
 * the history. One of which nothing was written is lost with the results that it is of.
 */
function formerOf({ id }: StoredIncident, last: Held | undefined): Held | undefined {
  if (last === undefined || isWritten(last)) return undefined;
  return incidentOf(last).id === id || last.written === 0 ? last.former : last;
}

function unwrittenOf(held: Held): StoredIncident[] {
  const { former } = held;
  return [...(former ? [former] : []), held].filter((one) => !isWritten(one)).map(incidentOf);
}
