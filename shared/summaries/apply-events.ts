import type { CheckSummary, GroupSummary } from './check-summary.ts';
import type { CheckWindow, LiveEvent, RunEvent } from './live-event.ts';
import { appendRun } from './run-code.ts';

/** All checks and groups as a page knows them. Never changed in place. */
export interface KnownChecks {
  checks: ReadonlyMap<string, CheckSummary>;
  groups: ReadonlyMap<number, GroupSummary>;
  /** Another one where checks or groups came, went, stand elsewhere or were changed: not with every run. */
  layout: number;
  /** Another one where names may be others: not where a check stands elsewhere. */
  names: number;
}

export const NOTHING_KNOWN: KnownChecks = {
  checks: new Map(),
  groups: new Map(),
  layout: 0,
  names: 0,
};

export function knownFrom(
  { checks, groups }: { checks: readonly CheckSummary[]; groups: readonly GroupSummary[] },
  { layout, names }: Pick<KnownChecks, 'layout' | 'names'> = NOTHING_KNOWN,
): KnownChecks {
  return {
    checks: new Map(checks.map((check) => [check.id, check])),
    groups: new Map(groups.map((group) => [group.id, group])),
    layout: layout + 1,
    names: names + 1,
  };
}

/** What is known after some events; the same object where they change nothing of it. */
export function applyEvents(known: KnownChecks, events: readonly LiveEvent[]): KnownChecks {
  const next = new Draft(known);
  for (const event of events) next.apply(event);
  return next.known();
}

class Draft {
  readonly #before: KnownChecks;
  #checks: Map<string, CheckSummary> | null = null;
  #groups: Map<number, GroupSummary> | null = null;
  #isMoved = false;
  #isRenamed = false;

  constructor(known: KnownChecks) {
    this.#before = known;
  }

  apply(event: LiveEvent): void {
    switch (event.kind) {
      case 'run':
        this.#run(event);
        break;
      case 'windows':
        for (const window of event.checks) this.#window(window);
        break;
      case 'check':
        this.#isMoved = true;
        this.#isRenamed = true;
        this.#changeChecks().set(event.check.id, event.check);
        break;
      case 'check-gone':
        this.#isMoved = this.#changeChecks().delete(event.id) || this.#isMoved;
        this.#isRenamed ||= this.#isMoved;
        break;
      case 'group':
        this.#isMoved = true;
        this.#changeGroups().set(event.group.id, event.group);
        break;
      case 'group-gone':
        this.#isMoved = this.#changeGroups().delete(event.id) || this.#isMoved;
        break;
      case 'session':
      case 'changed':
    }
  }

  known(): KnownChecks {
    const { checks, groups, layout, names } = this.#before;
    if (this.#checks === null && this.#groups === null) return this.#before;
    return {
      checks: this.#checks ?? checks,
      groups: this.#groups ?? groups,
      layout: layout + Number(this.#isMoved),
      names: names + Number(this.#isRenamed),
    };
  }

  /** Told once more where a page asked meanwhile: then it is known already. */
  #run({ kind: _, id, resultId: __, run, ...now }: RunEvent): void {
    const before = (this.#checks ?? this.#before.checks).get(id);
    if (before === undefined || now.lastRunAt <= (before.lastRunAt ?? 0)) return;
    this.#put(before, { ...before, ...now, runs: appendRun(before.runs, run) });
  }

  #window(window: CheckWindow): void {
    const before = (this.#checks ?? this.#before.checks).get(window.id);
    if (before !== undefined) this.#put(before, { ...before, ...window });
  }

  #put(before: CheckSummary, now: CheckSummary): void {
    if (before.state !== now.state) this.#isMoved = true;
    this.#changeChecks().set(now.id, now);
  }

  #changeChecks(): Map<string, CheckSummary> {
    this.#checks ??= new Map(this.#before.checks);
    return this.#checks;
  }

  #changeGroups(): Map<number, GroupSummary> {
    this.#groups ??= new Map(this.#before.groups);
    return this.#groups;
  }
}
