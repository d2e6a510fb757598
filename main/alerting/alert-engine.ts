import { isDeepStrictEqual } from 'node:util';
import type { IncidentAutomation, IncidentDecision } from '#main/incidents/incident-port.ts';
import type { OutboxPort } from '#main/notifications/outbox-port.ts';
import type { Log } from '#main/platform/log.ts';
import type { AlertDecision } from '#shared/alerting/alert.ts';
import { alertAfter } from '#shared/alerting/alert-after.ts';
import { initialAlertState } from '#shared/alerting/alert-state.ts';
import type { Standing } from '#shared/alerting/alert-type.ts';
import type { FinalRun } from '#shared/alerting/final-run.ts';
import type { AlertCause, KeptAlertState } from '#shared/alerting/kept-alert-state.ts';
import { causeOf, runVerdict } from '#shared/alerting/outcome.ts';
import { nextReminderAt, remind } from '#shared/alerting/reminders.ts';
import { initialSslState } from '#shared/alerting/ssl-state.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Clock } from '#shared/clock.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import { shortened } from '#shared/notifications/message.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import {
  type AlertContext,
  type AlertSources,
  alertContextOf,
  channelsOf,
  policyOf,
} from './alert-context.ts';
import type { AlertPort, AlertRecords, FinishedRun, PendingRecords } from './alert-port.ts';
import { heartbeatFinal } from './alert-records.ts';
import { buildNotifications, type NotificationRequest } from './build-notifications.ts';
import { certificateAlerts } from './certificate-alerts.ts';
import { outcomeOf } from './check-outcome.ts';

export interface AlertEngineParts {
  configuration: AlertSources;
  outbox: Pick<OutboxPort, 'stamp' | 'enqueue' | 'resolve'>;
  incidents: IncidentAutomation;
  clock: Clock;
  /** Whether a maintenance window silences a check's alerts at a moment, epoch ms. */
  silencedAt(check: Check, at: number): boolean;
  isOffline(): boolean;
  /** Where people reach the appliance. */
  baseUrl(): string;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/**
 * Turns decisions about alerts into records: the alerts, and the notifications of each channel. The
 * engine holds no state: the state of a check comes with each call.
 */
export class AlertEngine implements AlertPort {
  readonly #parts: AlertEngineParts;

  constructor(parts: AlertEngineParts) {
    this.#parts = parts;
  }

  afterRun(run: FinishedRun, before: KeptAlertState | undefined): AlertRecords {
    const subject = this.#activeSubject(run.checkId);
    if (subject === undefined) return { state: before, facts: {} };
    const after = this.#afterFinals(subject, run.finals, before, run.details);
    return this.#withCertificates(subject, run, after, before);
  }

  afterHeartbeat(event: StoredHeartbeatEvent, before: KeptAlertState | undefined): AlertRecords {
    const subject = this.#activeSubject(event.checkId);
    if (subject === undefined) return { state: before, facts: {} };
    return this.#afterFinals(subject, [heartbeatFinal(event)], before);
  }

  reminder(checkId: string, before: KeptAlertState): AlertRecords | null {
    const now = this.#parts.clock.now();
    const subject = this.#activeSubject(checkId);
    if (subject === undefined) return null;
    const decision = remind(before, this.#policy(subject, now), now);
    if (decision.alert === null) return null;
    return this.#build({ subject, decision, before, final: null, detail: undefined, at: now });
  }

  nextReminderAt(checkId: string, state: KeptAlertState): number | null {
    if (state.raised === null) return null;
    const subject = this.#activeSubject(checkId);
    // Maintenance only decides whether it is sent.
    return subject ? nextReminderAt(state, this.#policyUnsilenced(subject).settings) : null;
  }

  isOffline(): boolean {
    return this.#parts.isOffline();
  }

  deleted(check: Check, state: KeptAlertState | undefined): void {
    this.#parts.incidents.deleted(check);
    if (state === undefined) return;
    const { told, flapping } = state;
    if (!told.failing && !told.degraded && flapping.episode === null) return;
    const { configuration, outbox } = this.#parts;
    const group = groupOf(check, configuration.groups);
    void outbox.resolve(check.id, channelsOf(check, configuration, group));
  }

  kept({ notifications = [], incidents, mailings }: PendingRecords): void {
    if (notifications.length > 0) this.#parts.outbox.enqueue(notifications);
    if (incidents !== undefined) this.#parts.incidents.kept({ incidents, mailings });
  }

  /** A check that is deactivated, by itself or by its group, does not alert. */
  #activeSubject(checkId: string): AlertContext | undefined {
    const subject = alertContextOf(checkId, this.#parts.configuration);
    return subject?.check.activated ? subject : undefined;
  }

  #policy({ check }: AlertContext, at: number) {
    const { configuration, silencedAt } = this.#parts;
    return policyOf(check, silencedAt(check, at), configuration);
  }

  #policyUnsilenced({ check }: AlertContext) {
    return policyOf(check, false, this.#parts.configuration);
  }

  #afterFinals(
    subject: AlertContext,
    finals: readonly FinalRun[],
    before: KeptAlertState | undefined,
    details?: ReadonlyMap<string, string>,
  ): AlertRecords {
    const at = finals.reduce((latest, { settledAt }) => Math.max(latest, settledAt), 0);
    const outcome = { at, verdicts: finals.map(({ verdict }) => verdict) };
    const policy = this.#policy(subject, at);
    const decision = alertAfter(before ?? initialAlertState, outcome, policy);
    const verdict = runVerdict(outcome, policy.settings.parallelRunFailureThreshold);
    const final = causeOf(finals, verdict) ?? null;
    const detail = details?.get(final?.resultId ?? '');
    logMove(this.#parts.log, {
      check: subject.check,
      before: before?.standing ?? initialAlertState.standing,
      after: decision.state.standing,
      final,
    });
    return this.#build({ subject, decision, before, final, detail, at });
  }

  #build(request: Omit<NotificationRequest, keyof NotificationParts>): AlertRecords {
    const { before, decision } = request;
    const parts = this.#notificationParts();
    const { cause, facts } = buildNotifications({ ...request, ...parts });
    const { incidentId, records } = this.#decideIncident({ ...request, ...parts }, cause);
    const kept = { cause, incidentId, ssl: before?.ssl };
    return { state: stateOf(decision.state, kept, before), facts: { ...facts, ...records } };
  }

  /** An incident that cannot be decided, by a fault of ours, costs neither the result nor the alert. */
  #decideIncident(request: NotificationRequest, cause: AlertCause | undefined): IncidentDecision {
    const { incidents, log } = this.#parts;
    const outcome = outcomeOf(request, cause);
    const unchanged = { incidentId: request.before?.incidentId, records: {} };
    if (outcome === null) return unchanged;
    try {
      return incidents.after(outcome);
    } catch (error) {
      const message = 'What becomes of the incident of a check could not be decided.';
      log.error({ err: error, checkId: outcome.check.id }, message);
      return unchanged;
    }
  }

  #notificationParts(): NotificationParts {
    const { configuration: sources, outbox, clock, baseUrl } = this.#parts;
    return { sources, now: clock.now(), stamp: () => outbox.stamp(), baseUrl: baseUrl() };
  }

  #withCertificates(
    subject: AlertContext,
    { certificates }: FinishedRun,
    after: AlertRecords,
    before: KeptAlertState | undefined,
  ): AlertRecords {
    if (certificates.length === 0) return after;
    const ssl = before?.ssl ?? initialSslState;
    const policy = this.#policy(subject, this.#parts.clock.now());
    const told = certificateAlerts(certificates, ssl, policy, {
      subject,
      ...this.#notificationParts(),
    });
    if (told.state === ssl) return after;
    const { alerts = [], notifications = [] } = after.facts;
    return {
      state: { ...(after.state ?? initialAlertState), ssl: told.state },
      facts: {
        ...after.facts,
        alerts: [...alerts, ...told.alerts],
        notifications: [...notifications, ...told.notifications],
      },
    };
  }
}

type NotificationParts = Pick<NotificationRequest, 'sources' | 'now' | 'stamp' | 'baseUrl'>;

/** The state to keep; the one before, where it says the same, so that nobody writes it again. */
function stateOf(
  state: AlertDecision['state'],
  { cause, incidentId, ssl }: Pick<KeptAlertState, 'cause' | 'incidentId' | 'ssl'>,
  before: KeptAlertState | undefined,
): KeptAlertState | undefined {
  const { standing, streak, troubleSince, raised, told, flapping } = state;
  const next: KeptAlertState = { standing, streak, troubleSince, raised, told, flapping };
  if (cause) next.cause = cause;
  if (incidentId) next.incidentId = incidentId;
  if (ssl) next.ssl = ssl;
  return isDeepStrictEqual(next, before ?? initialAlertState) ? before : next;
}

/** Characters of an error in a line of the log. */
const MAX_LOGGED_ERROR = 500;

/** A check that stands otherwise than before its last run. */
interface Move {
  check: Pick<Check, 'id' | 'name'>;
  before: Standing;
  after: Standing;
  /** The run that moved it. */
  final: FinalRun | null;
}

/** One line of the log for a change of state, whether anybody is alerted or not; none without one. */
function logMove(
  log: Pick<Log, 'info' | 'warn'>,
  { check: { id: checkId, name }, before, after, final }: Move,
): void {
  if (before === after) return;
  const reason = final?.error ? `: ${shortened(final.error, MAX_LOGGED_ERROR)}` : '.';
  if (after === 'passing') log.info({ checkId }, `"${name}" is passing again.`);
  else log.warn({ checkId }, `"${name}" is ${after}${reason}`);
}
