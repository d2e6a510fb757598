import type { Log } from '#main/platform/log.ts';
import type { Change } from '#main/store/configuration/configuration.ts';
import type { Mute } from '#shared/mutes/mute.ts';
import type { CheckGroups } from './check-groups.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { refuseProblems } from './service-error.ts';

interface MuteParts extends Pick<ServiceParts, 'clock'> {
  configuration: Pick<ServiceParts['configuration'], 'checks' | 'groups' | 'mutes'>;
  checks: Pick<Checks, 'find' | 'change'>;
  checkGroups: Pick<CheckGroups, 'find' | 'change'>;
  log: Pick<Log, 'error'>;
}

/** What can be muted. */
export type Mutable = { kind: 'check'; id: string } | { kind: 'group'; id: number };

interface Muted {
  id: string;
  muted: boolean;
}

const MAX_MS = 366 * 86_400_000;
/** The longest that a timer is set for, and how long after a failure it is tried again. */
const LOOK_MS = 60_000;

/**
 * Checks and groups that are muted until a time. The end is a record beside them, so that it outlives a restart;
 * whoever unmutes one before ends it too.
 */
export class Mutes {
  readonly #parts: MuteParts;
  #timer: unknown;
  #isLooking = false;

  constructor(parts: MuteParts) {
    this.#parts = parts;
  }

  /** ISO 8601; null where it is muted without an end, or not at all. @throws ServiceError NOT_FOUND */
  untilOf(target: Mutable): string | null {
    this.#find(target);
    return this.#mutes.get(String(target.id))?.until ?? null;
  }

  /**
   * Mutes one until a time, or without an end.
   * @param until ISO 8601
   * @throws ServiceError NOT_FOUND, INVALID where the time is over or more than a year away
   */
  async mute(target: Mutable, until: string | null): Promise<string | null> {
    this.#find(target);
    const id = String(target.id);
    if (until === null) await this.#mutes.delete(id);
    // Before the target: a start drops the end of what is not muted, and a mute without its end stays.
    else await this.#mutes.put({ id, until: this.#endOf(until) });
    await this.#change(target, true);
    return this.untilOf(target);
  }

  /** Unmutes what is due from now on. Returns the way to stop. */
  start(): () => void {
    const { checks, groups, mutes } = this.#parts.configuration;
    const forget = (change: Change<Muted>) => void this.#forgetUnmuted(change);
    const stops = [
      checks.subscribe(forget),
      groups.subscribe(forget),
      mutes.subscribe(() => this.#arm()),
    ];
    void this.#look(true);
    return () => {
      for (const stop of stops) stop();
      this.#parts.clock.clearTimeout(this.#timer);
    };
  }

  get #mutes() {
    return this.#parts.configuration.mutes;
  }

  #find(target: Mutable): Muted {
    const { checks, checkGroups } = this.#parts;
    return target.kind === 'check' ? checks.find(target.id) : checkGroups.find(target.id);
  }

  #change(target: Mutable, muted: boolean): Promise<Muted> {
    const { checks, checkGroups } = this.#parts;
    return target.kind === 'check'
      ? checks.change(target.id, { muted })
      : checkGroups.change(target.id, { muted });
  }

  #endOf(until: string): string {
    const ms = Date.parse(until) - this.#parts.clock.now();
    const message = 'expected a time within the next year';
    const problems = ms > 0 && ms <= MAX_MS ? [] : [{ path: 'until', message }];
    refuseProblems({ source: 'payload', problems });
    return new Date(until).toISOString();
  }

  async #forgetUnmuted(change: Change<Muted>): Promise<void> {
    const { id, muted } = change.record;
    const isUnmuted = change.kind === 'delete' || (change.previous?.muted === true && !muted);
    if (isUnmuted && this.#mutes.get(id) !== undefined) {
      await this.#try(id, () => this.#mutes.delete(id));
    }
  }

  #arm(leastMs = 0): void {
    const { clock } = this.#parts;
    clock.clearTimeout(this.#timer);
    if (this.#isLooking || this.#mutes.size === 0) return;
    const waits = this.#mutes.all().map(({ until }) => Date.parse(until) - clock.now());
    const next = waits.reduce((least, ms) => Math.min(least, ms), LOOK_MS);
    this.#timer = clock.setTimeout(() => void this.#look(), Math.max(leastMs, next));
  }

  /** @param isFirst whether ends of what is not muted are left over from before the start */
  async #look(isFirst = false): Promise<void> {
    const now = this.#parts.clock.now();
    let areEnded = true;
    this.#isLooking = true;
    for (const mute of this.#mutes.all()) {
      const target = this.#targetOf(mute);
      if (Date.parse(mute.until) > now && !(isFirst && target === null)) continue;
      areEnded = (await this.#try(mute.id, () => this.#end(mute, target))) && areEnded;
    }
    this.#isLooking = false;
    this.#arm(areEnded ? 0 : LOOK_MS);
  }

  /** Null where it is gone, or not muted any more. */
  #targetOf({ id }: Mute): Mutable | null {
    const { checks, groups } = this.#parts.configuration;
    if (checks.get(id)?.muted) return { kind: 'check', id };
    return groups.get(id)?.muted ? { kind: 'group', id: Number(id) } : null;
  }

  async #end({ id }: Mute, target: Mutable | null): Promise<void> {
    if (target !== null) await this.#change(target, false);
    await this.#mutes.delete(id);
  }

  /** Whether it went well: what the disk does not take is tried again with a later look. */
  async #try(id: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#parts.log.error({ err: error, id }, 'A mute could not be ended.');
      return false;
    }
  }
}
