import type { Monitor } from '#main/monitoring/monitor-port.ts';
import { atPace } from '#main/platform/yielding.ts';
import type { History } from '#main/store/history/history.ts';
import type { Check } from '#shared/checks/check.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupOf, tagsOf } from '#shared/groups/merge-group.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import { checkState, runState } from '#shared/summaries/check-state.ts';
import type { CheckSummary, GroupSummary } from '#shared/summaries/check-summary.ts';
import { targetOf } from '#shared/summaries/check-target.ts';
import type { CheckWindow } from '#shared/summaries/live-event.ts';
import { codeRun } from '#shared/summaries/run-code.ts';
import { RunWindow, type WindowRun } from '#shared/summaries/run-window.ts';
import type { LiveEvents } from './live-events.ts';
import type { ServiceParts } from './resource.ts';

interface Parts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf' | 'troubleSince' | 'listen'>;
  history: Pick<History, 'readWindows'>;
  liveEvents: Pick<LiveEvents, 'push' | 'cursor'>;
  log: { error(fields: object, message: string): void };
}

/** What is held of a check. */
interface Entry {
  /** Null until it was read from the history; runs of that time wait. */
  window: RunWindow | null;
  waiting: WindowRun[];
  cause: string | null;
  /** The summary as JSON text; null where something of it changed. */
  text: string | null;
}

/** Checks whose windows are read together: some milliseconds of the thread that reads. */
const READ_TOGETHER = 20;
/** How long a summary waits for windows, for people look at few checks at once: those of some hundred are there by then. */
const WAIT_MS = 100;
const MAX_CAUSE = 300;
const MAX_WAITING = 200;

/**
 * Every check in a few words and numbers, for the interface. Nothing is held before somebody asks for it the first
 * time: then the last day is read from the history, in the background, and each run is added from there on.
 */
export class CheckSummaries {
  readonly #parts: Parts;
  readonly #entries = new Map<string, Entry>();
  #reading: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * All of them as the pieces of one JSON text, made at the pace at which they are asked for: as `AppSummary`.
   */
  async pieces(): Promise<Iterable<string>> {
    this.#reading ??= this.#open();
    await this.#wait(this.#reading);
    return this.#makePieces();
  }

  /** Reads no more windows. */
  close(): void {
    this.#isClosed = true;
  }

  *#makePieces(): Generator<string> {
    const { configuration, liveEvents } = this.#parts;
    const groups = configuration.groups.all().map(viewGroup);
    const head = JSON.stringify({ cursor: liveEvents.cursor(), groups }).slice(0, -1);
    let separator = `${head},"checks":[`;
    for (const check of configuration.checks.all()) {
      yield separator + this.#textOf(check);
      separator = ',';
    }
    yield separator === ',' ? ']}' : `${separator}]}`;
  }

  async #open(): Promise<void> {
    const { configuration, monitor } = this.#parts;
    for (const { id } of configuration.checks.all()) this.#entryOf(id);
    monitor.listen({
      result: (result) => this.#result(result),
      heartbeat: (event) => this.#heartbeat(event),
    });
    configuration.checks.subscribe(({ kind, record }) => {
      if (kind === 'delete') this.#forget(record.id);
      else this.#changed(record);
    });
    configuration.groups.subscribe(({ kind, record }) => {
      this.#groupChanged(record, kind === 'delete');
    });
    try {
      await this.#readAll();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'The summary of checks goes without their last day.');
      this.#letGo();
    }
  }

  /** Those that fail first are those that people look for. */
  async #readAll(): Promise<void> {
    const { configuration, history, clock, monitor } = this.#parts;
    const isBad = ({ id }: Check) => monitor.statusOf(id)?.hasFailures === true;
    const checks = configuration.checks.all();
    const ids = [...checks.filter(isBad), ...checks.filter((one) => !isBad(one))].map(
      ({ id }) => id,
    );
    for (let from = 0; from < ids.length && !this.#isClosed; from += READ_TOGETHER) {
      const checkIds = ids.slice(from, from + READ_TOGETHER);
      const windows = await history.readWindows({ checkIds, now: clock.now() });
      for (const [index, id] of checkIds.entries()) {
        const read = windows[index];
        if (read) this.#fill(id, new RunWindow(read.window), read.cause);
      }
      this.#tellWindows(checkIds);
    }
  }

  #fill(id: string, window: RunWindow, cause: string | null): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.window !== null) return;
    entry.cause ??= cause;
    entry.window = window;
    for (const run of entry.waiting) if (run.at > (window.lastAt ?? 0)) window.add(run);
    entry.waiting = [];
    entry.text = null;
  }

  #tellWindows(ids: readonly string[]): void {
    const { configuration, liveEvents } = this.#parts;
    const checks = ids
      .map((id) => configuration.checks.get(id))
      .filter((check) => check !== undefined)
      .map((check): CheckWindow => {
        const view = this.#view(check, this.#entryOf(check.id));
        const { id, state, since, cause, lastRunAt, runs, availability, p95 } = view;
        return { id, state, since, cause, lastRunAt, runs, availability, p95 };
      });
    liveEvents.push({ kind: 'windows', checks });
  }

  /** The history could not be read: what comes from now on is shown all the same. */
  #letGo(): void {
    const ids = [...this.#entries].filter(([, { window }]) => window === null).map(([id]) => id);
    for (const id of ids) this.#fill(id, new RunWindow(), null);
    this.#tellWindows(ids);
  }

  async #wait(reading: Promise<void>): Promise<void> {
    const { clock } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, WAIT_MS);
    await Promise.race([reading, promise]);
    clock.clearTimeout(timer);
  }

  #entryOf(id: string): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry: Entry = { window: null, waiting: [], cause: null, text: null };
    this.#entries.set(id, entry);
    return entry;
  }

  #result(result: StoredResult): void {
    const { resultType, checkId, createdAt: at, responseTime, failure } = result;
    if (resultType !== 'FINAL') return;
    const cause = failure?.message.slice(0, MAX_CAUSE) ?? null;
    this.#add(checkId, result.id, { at, state: runState(result), responseTime }, cause);
  }

  #heartbeat({ id, checkId, state, timestamp: at }: StoredHeartbeatEvent): void {
    const ended = isPassing(state) ? 'passing' : 'failing';
    this.#add(checkId, id, { at, state: ended, responseTime: null }, null);
  }

  #add(id: string, resultId: string, run: WindowRun, cause: string | null): void {
    const check = this.#parts.configuration.checks.get(id);
    if (check === undefined) return;
    const entry = this.#entryOf(id);
    entry.cause = cause;
    entry.text = null;
    if (entry.window === null) {
      entry.waiting.push(run);
      if (entry.waiting.length > MAX_WAITING) entry.waiting.shift();
      return;
    }
    entry.window.add(run);
    const { state, since, availability, p95 } = this.#view(check, entry);
    const code = codeRun({ state: run.state, responseTime: run.responseTime ?? 0 });
    const event = { id, resultId, state, since, cause, lastRunAt: run.at, availability, p95 };
    this.#parts.liveEvents.push({ kind: 'run', ...event, run: code });
  }

  #changed(check: Check): void {
    // One that was created after the reading had begun has no past.
    const isNew = !this.#entries.has(check.id);
    const entry = this.#entryOf(check.id);
    if (isNew) entry.window = new RunWindow();
    entry.text = null;
    this.#parts.liveEvents.push({ kind: 'check', check: this.#view(check, entry) });
  }

  #forget(id: string): void {
    this.#entries.delete(id);
    this.#parts.liveEvents.push({ kind: 'check-gone', id });
  }

  /** Its members are paused, muted and found with it. */
  #groupChanged(group: Group, isGone: boolean): void {
    const id = Number(group.id);
    const { configuration, liveEvents } = this.#parts;
    liveEvents.push(
      isGone ? { kind: 'group-gone', id } : { kind: 'group', group: viewGroup(group) },
    );
    const members = configuration.checks.all().filter(({ groupId }) => groupId === id);
    const changeAll = function* (this: CheckSummaries) {
      for (const member of members) yield this.#changed(member);
    };
    void atPace(changeAll.call(this));
  }

  #textOf(check: Check): string {
    const entry = this.#entryOf(check.id);
    entry.text ??= JSON.stringify(this.#view(check, entry));
    return entry.text;
  }

  #view(check: Check, { window, cause }: Entry): CheckSummary {
    const { configuration, monitor, clock } = this.#parts;
    const { id, name, checkType: type, groupId } = check;
    const group = groupOf(check, configuration.groups);
    const status = monitor.statusOf(id);
    const state = checkState(check, group, status);
    const isBad = state === 'failing' || state === 'degraded';
    const now = clock.now();
    return {
      id,
      name,
      type,
      state,
      muted: check.muted || group?.muted === true,
      groupId: group === undefined ? null : groupId,
      tags: tagsOf(check, group),
      target: targetOf(check),
      since: (isBad ? monitor.troubleSince(id) : null) ?? window?.since ?? null,
      cause: state === 'failing' || state === 'inconclusive' ? cause : null,
      lastRunAt: window?.lastAt ?? (status?.updated_at ? Date.parse(status.updated_at) : null),
      runs: window?.codes ?? '',
      availability: rounded(window?.availability(now) ?? null, 1e3),
      p95: rounded(window?.p95(now) ?? null, 10),
    };
  }
}

function viewGroup({ id, name, activated, muted }: Group): GroupSummary {
  return { id: Number(id), name, activated, muted };
}

function rounded(value: number | null, parts: number): number | null {
  return value === null ? null : Math.floor(value * parts) / parts;
}
