import { randomBytes } from 'node:crypto';
import type { Log } from '#main/platform/log.ts';
import { RateLimiter } from '#main/platform/rate-limiter.ts';
import type { CheckSessionsPort } from '#main/sessions/sessions-port.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import {
  hasEnded,
  type SessionOverrides,
  type StoredSession,
} from '#shared/sessions/check-session.ts';
import {
  isSameTarget,
  TOKEN_BYTES,
  type Trigger,
  type TriggerOutcome,
  type TriggerTarget,
} from '#shared/sessions/trigger.ts';
import type { CheckSessions } from './check-sessions.ts';
import { chooseChecks, refuseUnknownLocation } from './choose-checks.ts';
import { deleteOrphans } from './delete-orphans.ts';
import { isToken } from './keys.ts';
import { nextNumericId } from './next-id.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, ServiceError, tooMany } from './service-error.ts';

/** Changes of triggers wait for each other: a target has one at most, and no id is given twice. */
const TRIGGERS = 'triggers';

/** Calls a minute of one trigger. */
export const MAX_TRIGGER_CALLS = 10;

/** What a call may take in total. */
const MAX_CALL_MS = 30_000;

/** What a token is compared with where there is no trigger, so that both take the same time. */
const NO_TOKEN = '';

interface TriggerParts extends ServiceParts {
  sessions: Pick<CheckSessionsPort, 'waitFor'>;
  log: Pick<Log, 'error'>;
}

/** What a call of a trigger's URL says of its runs; what is empty is as if left out. */
export interface TriggerCall {
  environmentUrl?: string | undefined;
  environmentName?: string | undefined;
  runLocation?: string | undefined;
}

/** The secret URLs that run a check, or the checks of a group, without a key. */
export class Triggers {
  readonly #parts: TriggerParts;
  readonly #checkSessions: CheckSessions;
  readonly #calls = new RateLimiter(MAX_TRIGGER_CALLS);

  constructor(parts: TriggerParts, checkSessions: CheckSessions) {
    this.#parts = parts;
    this.#checkSessions = checkSessions;
  }

  /** @throws ServiceError NOT_FOUND for the target, and where it has no trigger */
  find(target: TriggerTarget): Trigger {
    this.#refuseUnknown(target);
    const trigger = this.#triggerOf(target);
    const noun = 'checkId' in target ? 'check' : 'check group';
    if (trigger === undefined) throw notFound(`This ${noun} has no trigger`);
    return trigger;
  }

  /**
   * The trigger that the target has, or a new one.
   *
   * @throws ServiceError NOT_FOUND for the target
   */
  create(target: TriggerTarget): Promise<Trigger> {
    return this.#parts.mutex(TRIGGERS, async () => {
      this.#refuseUnknown(target);
      return this.#triggerOf(target) ?? (await this.#make(target));
    });
  }

  /** @throws ServiceError as {@link find} */
  delete(target: TriggerTarget): Promise<void> {
    return this.#parts.mutex(TRIGGERS, async () => {
      await this.#parts.configuration.triggers.delete(this.find(target).id);
    });
  }

  /**
   * Runs what a trigger is for and waits for the end. An unknown target and a wrong token are refused
   * alike.
   *
   * @throws ServiceError NOT_FOUND also where no check of the target may run, INVALID for a location
   *   where nothing can run, TOO_MANY, TIMED_OUT where it takes too long and the runs go on;
   *   TooManySessions where too many are open
   */
  async call(target: TriggerTarget, token: string, options: TriggerCall): Promise<TriggerOutcome> {
    const { clock, configuration } = this.#parts;
    const trigger = this.#findByToken(target, token);
    this.#countCall(trigger);
    const endsAt = clock.now() + MAX_CALL_MS;
    const chosen = await chooseChecks(targetOf(trigger), configuration);
    const checks = chosen.flatMap((one) => one.checks);
    const overrides = overridesOf(options, checks);
    await this.#rememberCall(trigger);
    const runSource = 'LEGACY_TRIGGER';
    const started = await this.#checkSessions.start(chosen, { runSource, overrides });
    return outcomeOf(await this.#waitForAll(started, endsAt - clock.now()));
  }

  /** Deletes those whose check or group is gone, now and from now on. */
  endWithTargets(): void {
    deleteOrphans(this.#parts, 'A trigger', () => this.#deleteOrphans());
  }

  #deleteOrphans(): Promise<void> {
    const { mutex, configuration } = this.#parts;
    return mutex(TRIGGERS, async () => {
      const all = configuration.triggers.all();
      const orphans = all.filter(({ target }) => !this.#exists(target));
      for (const { id } of orphans) await configuration.triggers.delete(id);
    });
  }

  #findByToken(target: TriggerTarget, token: string): Trigger {
    const trigger = this.#triggerOf(target);
    const isRight = isToken(trigger?.token ?? NO_TOKEN, token);
    if (trigger === undefined || !isRight) throw unknownUrl();
    return trigger;
  }

  #countCall({ id }: Trigger): void {
    const waitMs = this.#calls.take(id, this.#parts.clock.now());
    if (waitMs === 0) return;
    const message = `More than ${MAX_TRIGGER_CALLS} calls of this trigger within a minute`;
    throw tooMany(message, waitMs);
  }

  /** The trigger of a check or group; undefined where it has none, or is gone itself. */
  #triggerOf(target: TriggerTarget): Trigger | undefined {
    const { triggers } = this.#parts.configuration;
    const trigger = triggers.all().find((one) => isSameTarget(one.target, target));
    return this.#exists(target) ? trigger : undefined;
  }

  #exists(target: TriggerTarget): boolean {
    const { checks, groups } = this.#parts.configuration;
    return 'checkId' in target
      ? checks.get(target.checkId) !== undefined
      : groups.get(String(target.groupId)) !== undefined;
  }

  #refuseUnknown(target: TriggerTarget): void {
    if (this.#exists(target)) return;
    const [noun, id] =
      'checkId' in target ? ['check', target.checkId] : ['check group', target.groupId];
    throw notFound(`No ${noun} has the id ${id}`);
  }

  async #make(target: TriggerTarget): Promise<Trigger> {
    const { configuration, clock } = this.#parts;
    const id = await nextNumericId('triggers', configuration.triggers, configuration);
    const trigger = {
      id: String(id),
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      target,
      created_at: new Date(clock.now()).toISOString(),
      called_at: null,
    };
    await configuration.triggers.put(trigger);
    return trigger;
  }

  async #rememberCall({ id }: Trigger): Promise<void> {
    const { mutex, configuration, clock } = this.#parts;
    const { triggers } = configuration;
    await mutex(TRIGGERS, async () => {
      const current = triggers.get(id);
      if (current === undefined) throw unknownUrl();
      await triggers.put({ ...current, called_at: new Date(clock.now()).toISOString() });
    });
  }

  #waitForAll(started: readonly StoredSession[], waitMs: number): Promise<StoredSession[]> {
    const { sessions } = this.#parts;
    return Promise.all(
      started.map(async (session) => (await sessions.waitFor(session.id, waitMs)) ?? session),
    );
  }
}

function unknownUrl() {
  return notFound('No trigger has this URL');
}

function targetOf({ target }: Trigger) {
  return 'checkId' in target ? { checkId: [target.checkId] } : { groupId: [target.groupId] };
}

function overridesOf(
  { environmentUrl, environmentName, runLocation }: TriggerCall,
  checks: readonly RunnableCheck[],
): SessionOverrides {
  if (runLocation) refuseUnknownLocation(runLocation, checks, 'query');
  return {
    ...(runLocation && { location: runLocation }),
    builtIns: {
      ...(environmentUrl && { ENVIRONMENT_URL: environmentUrl }),
      ...(environmentName && { ENVIRONMENT_NAME: environmentName }),
    },
  };
}

/** Everything but a pass is a failure: no one should deploy after an inconclusive run. */
function outcomeOf(sessions: readonly StoredSession[]): TriggerOutcome {
  if (!sessions.every(({ status }) => hasEnded(status))) {
    throw new ServiceError('TIMED_OUT', 'The runs are not over; they go on, and count.');
  }
  const hasFailures = sessions.some(({ status }) => status !== 'PASSED' && status !== 'DEGRADED');
  return { hasFailures, ...responseTimeOf(sessions) };
}

function responseTimeOf([only, ...others]: readonly StoredSession[]) {
  if (only?.checkType !== 'API' || others.length > 0) return {};
  const finals = only.results.filter(({ resultType }) => resultType === 'FINAL');
  const times = finals.map(({ responseTime }) => Math.round(responseTime));
  return { responseTime: times.length === 0 ? null : Math.max(...times) };
}
