import { alertContextOf, policyOf } from '#main/alerting/alert-context.ts';
import { Yielding } from '#main/platform/yielding.ts';
import type { History } from '#main/store/history/history.ts';
import type { AlertPolicy } from '#shared/alerting/alert.ts';
import type { FlapSettings } from '#shared/alerting/flap-settings.ts';
import { NOTHING_REPLAYED, viewTotal, withCheck } from '#shared/alerting/policy-summary.ts';
import { PolicyReplay, type ReplaySummary } from '#shared/alerting/replay.ts';
import { MAX_SIMULATED_CHECKS, type Simulation } from '#shared/alerting/simulation.ts';
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
  history: Pick<History, 'listAlertingChecks' | 'listOutcomes' | 'listHeartbeatEvents'>;
}

/** Alert settings that are tried on a period of the past. */
export interface SimulatedPolicy extends TimeRange {
  /** Undefined: those that follow the settings of the account. */
  checkIds?: readonly string[] | undefined;
  /** In place of those that apply to each check. */
  alertSettings?: AlertSettings | undefined;
  /** In place of the account's. */
  flapping?: FlapSettings | undefined;
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
    const { contexts, all } = await this.#contextsOf(asked);
    const silenced = this.#silenced();
    const reader = new OutcomeReader(this.#parts.history);
    let current = NOTHING_REPLAYED;
    let simulated = NOTHING_REPLAYED;
    let checks = 0;
    for (const { check } of contexts) {
      await pace.rest();
      const policies = this.#policiesOf(check, asked);
      const replayed = { check, policies, silencedAt: (at: number) => silenced(check, at) };
      const replay = replayCheck(replayed, range, { reader, pace }).catch((error) => {
        // Of checks that nobody named, as many are gone through as fit.
        if (asked.checkIds === undefined && reader.isFull && checks > 0) return null;
        throw error;
      });
      const summaries = await replay;
      if (summaries === null) break;
      const [now, then] = summaries;
      checks += 1;
      if (now) current = withCheck(current, check.id, now);
      if (then) simulated = withCheck(simulated, check.id, then);
    }
    const totals = { current: viewTotal(current), simulated: viewTotal(simulated) };
    const laterMs = between(totals.current.firstFailureToldAt, totals.simulated.firstFailureToldAt);
    return { checks, ofChecks: all, outcomes: reader.count, ...totals, laterMs };
  }

  /** The checks to go through, and how many there are of what was asked for. */
  async #contextsOf({ checkIds, ...range }: SimulatedPolicy) {
    const ids = checkIds ?? (await this.#following(range));
    const unique = [...new Set(ids)];
    const contexts = unique.slice(0, MAX_SIMULATED_CHECKS).map((id) => {
      const context = alertContextOf(id, this.#parts.configuration);
      if (context === undefined) throw noSuchCheck(id);
      return context;
    });
    return { contexts, all: unique.length };
  }

  /** The checks that the settings of the account are for, those that alerted most in the period first. */
  async #following({ from, to }: TimeRange): Promise<string[]> {
    const { checks } = this.#parts.configuration;
    const asked = { from, to, limit: 10 * MAX_SIMULATED_CHECKS };
    const noisy = await this.#parts.history.listAlertingChecks(asked);
    const ids = new Set([...noisy, ...checks.all().map(({ id }) => id)]);
    return [...ids].filter((id) => {
      const check = alertContextOf(id, this.#parts.configuration)?.check;
      return check?.activated && check.useGlobalAlertSettings;
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
