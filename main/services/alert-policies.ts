import { type AlertContext, alertContextOf, policyOf } from '#main/alerting/alert-context.ts';
import { Yielding } from '#main/platform/yielding.ts';
import type { History } from '#main/store/history/history.ts';
import type { AlertPolicy } from '#shared/alerting/alert.ts';
import type { FlapSettings } from '#shared/alerting/flap-settings.ts';
import {
  NOTHING_REPLAYED,
  type PolicySummary,
  viewTotal,
  withCheck,
} from '#shared/alerting/policy-summary.ts';
import { PolicyReplay, type ReplaySummary } from '#shared/alerting/replay.ts';
import { rangeProblems, type TimeRange } from '#shared/api/time-range.ts';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import type { Check } from '#shared/checks/check.ts';
import { MaintenanceCalendar, maintenanceOf } from '#shared/maintenance/maintenance-rules.ts';
import { noSuchCheck } from './checks.ts';
import { clientGone, HeavyRequests } from './heavy-requests.ts';
import { OutcomeReader } from './outcome-reader.ts';
import type { ServiceParts } from './resource.ts';
import { refuseProblems } from './service-error.ts';

interface AlertPolicyParts extends Pick<ServiceParts, 'configuration'> {
  history: Pick<History, 'listOutcomes' | 'listHeartbeatEvents'>;
}

/** Alert settings that are tried on a period of the past. */
export interface SimulatedPolicy extends TimeRange {
  checkIds: readonly string[];
  /** In place of those that apply to each check. */
  alertSettings?: AlertSettings | undefined;
  /** In place of the account's. */
  flapping?: FlapSettings | undefined;
}

export interface Simulation {
  checks: number;
  /** Results and heartbeat events that were gone through. */
  outcomes: number;
  /** With the settings as they are. */
  current: PolicySummary;
  simulated: PolicySummary;
  /** Milliseconds by which the first message of a failure comes later than now; negative: earlier. */
  laterMs: number | null;
}

const MAX_PERIOD_MS = 31 * 86_400_000;
/** Reminders of so long a time without a run are worked out at once. */
const PAUSE_MS = 6 * 3_600_000;

/** What other alert settings would have sent: the same decisions, over the results that are stored. */
export class AlertPolicies {
  readonly #parts: AlertPolicyParts;
  readonly #simulations = new HeavyRequests('simulations');

  constructor(parts: AlertPolicyParts) {
    this.#parts = parts;
  }

  /**
   * Runs policies over the past, one simulation at a time; ends where the client hangs up.
   *
   * @throws ServiceError INVALID where the period is too long or has too many results, NOT_FOUND for a
   * check, TOO_MANY where too many wait, TIMED_OUT where the client is gone
   */
  simulate(asked: SimulatedPolicy, isGone: () => boolean): Promise<Simulation> {
    return this.#simulations.take(() => this.#simulate(asked, new AwaitedPace(isGone)), isGone);
  }

  async #simulate(asked: SimulatedPolicy, pace: AwaitedPace): Promise<Simulation> {
    const range = { from: asked.from, to: asked.to };
    refuseProblems({ source: 'payload', problems: rangeProblems(range, { maxMs: MAX_PERIOD_MS }) });
    const contexts = this.#contextsOf(asked.checkIds);
    const silenced = this.#silenced();
    const reader = new OutcomeReader(this.#parts.history);
    let current = NOTHING_REPLAYED;
    let simulated = NOTHING_REPLAYED;
    for (const { check } of contexts) {
      await pace.rest();
      const policies = this.#policiesOf(check, asked);
      const replayed = { check, policies, silencedAt: (at: number) => silenced(check, at) };
      const [now, then] = await replayCheck(replayed, range, { reader, pace });
      if (now) current = withCheck(current, check.id, now);
      if (then) simulated = withCheck(simulated, check.id, then);
    }
    const totals = { current: viewTotal(current), simulated: viewTotal(simulated) };
    const laterMs = between(totals.current.firstFailureToldAt, totals.simulated.firstFailureToldAt);
    return { checks: contexts.length, outcomes: reader.count, ...totals, laterMs };
  }

  #contextsOf(checkIds: readonly string[]): AlertContext[] {
    return [...new Set(checkIds)].map((id) => {
      const context = alertContextOf(id, this.#parts.configuration);
      if (context === undefined) throw noSuchCheck(id);
      return context;
    });
  }

  /** As it is, and as it would be. */
  #policiesOf(check: Check, { alertSettings: settings, flapping }: SimulatedPolicy) {
    const current = policyOf({ ...check, muted: false }, false, this.#parts.configuration);
    return [
      current,
      { ...current, ...(settings && { settings }), ...(flapping && { flapping }) },
    ] as const;
  }

  /** A calendar of its own: going through the past must not disturb the one that looks at now. */
  #silenced() {
    const calendar = new MaintenanceCalendar(this.#parts.configuration.maintenanceWindows.all());
    return ({ tags }: Check, at: number) => maintenanceOf(tags, calendar, at).silenced;
  }
}

/** The pace of work that goes on only while its client waits for it. */
class AwaitedPace extends Yielding {
  readonly #isGone: () => boolean;

  constructor(isGone: () => boolean) {
    super();
    this.#isGone = isGone;
  }

  /** @throws ServiceError TIMED_OUT where the client hung up */
  override async rest(): Promise<void> {
    await super.rest();
    if (this.#isGone()) throw clientGone();
  }
}

interface ReplayedCheck {
  check: Check;
  /** Each is run over the same results. */
  policies: readonly AlertPolicy[];
  silencedAt(at: number): boolean;
}

/** Runs policies over the results of a check; answers a summary for each, in their order. */
async function replayCheck(
  { check, policies, silencedAt }: ReplayedCheck,
  range: TimeRange,
  { reader, pace }: { reader: OutcomeReader; pace: Yielding },
): Promise<ReplaySummary[]> {
  const replays = policies.map((policy) => new PolicyReplay(policy, silencedAt));
  let at = range.from;
  for await (const outcomes of reader.outcomesOf(check, range)) {
    for (const outcome of outcomes) {
      await passTo(outcome.at, at, { replays, pace });
      for (const replay of replays) replay.add(outcome);
      at = outcome.at;
      if (pace.isDue) await pace.rest();
    }
    // To take a slice over from the reader took a while as well.
    await pace.rest();
  }
  await passTo(range.to, at, { replays, pace });
  return replays.map((replay) => replay.end(range.to));
}

/** A long time without a run passes in slices, as an unlimited reminder may fall due each minute. */
async function passTo(
  end: number,
  from: number,
  { replays, pace }: { replays: readonly PolicyReplay[]; pace: Yielding },
): Promise<void> {
  for (let at = from + PAUSE_MS; at < end; at += PAUSE_MS) {
    for (const replay of replays) replay.passTo(at);
    if (pace.isDue) await pace.rest();
  }
}

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}
