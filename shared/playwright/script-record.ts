import { MAX_TESTS, type RunError, type TestStep, type TraceSummary } from './detail.ts';
import type { PlannedTest, SpecEvent, SpecEventOf } from './events.ts';
import { endProcess, type ProcessEnd } from './next-tests.ts';
import { newTest, type TestRecord } from './test-record.ts';

const MAX_STEPS = 2_000;
const MAX_ITEMS = 1_000;

/** What the processes of a run reported, in their order and bounded. */
export class ScriptRecord {
  /** That belong to no test. */
  readonly errors: RunError[] = [];
  readonly log: SpecEventOf<'log'>[] = [];
  readonly console: SpecEventOf<'console'>[] = [];
  readonly network: SpecEventOf<'network'>[] = [];
  readonly requests: SpecEventOf<'request'>[] = [];
  readonly attachments: SpecEventOf<'attach'>[] = [];
  readonly launches: SpecEventOf<'launch'>[] = [];
  readonly summary: TraceSummary = {
    consoleErrors: 0,
    networkErrors: 0,
    documentErrors: 0,
    userScriptErrors: 0,
  };
  readonly #startedAt: number;
  readonly #tests = new Map<string, TestRecord>();
  /** The last that each page said of itself. */
  readonly #pages = new Map<string, SpecEventOf<'page'>>();
  /** Steps that have not ended. */
  readonly #open = new Map<string, TestStep>();
  #steps = 0;
  #done: SpecEventOf<'done'> | null = null;

  readonly #handlers: { [T in SpecEvent['type']]: (event: SpecEventOf<T>) => void } = {
    plan: ({ tests }) => this.#plan(tests),
    testBegin: ({ test }) => this.#change(test, { hasBegun: true }),
    testEnd: ({ type: _, test, ...end }) => this.#change(test, end),
    stepBegin: (step) => this.#beginStep(step),
    stepEnd: (step) => this.#endStep(step),
    attach: (it) => keep(this.attachments, it),
    launch: (it) => keep(this.launches, it),
    log: (it) => keep(this.log, it),
    console: (it) => keep(this.console, it),
    network: (it) => keep(this.network, it),
    request: (it) => keep(this.requests, it),
    page: (it) => {
      if (this.#pages.has(it.page) || this.#pages.size < MAX_ITEMS) this.#pages.set(it.page, it);
    },
    summary: ({ type: _, ...counts }) => this.#count(counts),
    done: (it) => {
      this.#done = it;
    },
  };

  /** @param startedAt epoch ms: what the times of steps count from */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  get tests(): readonly TestRecord[] {
    return [...this.#tests.values()];
  }

  get pages(): readonly SpecEventOf<'page'>[] {
    return [...this.#pages.values()];
  }

  add(event: SpecEvent): void {
    (this.#handlers[event.type] as (event: SpecEvent) => void)(event);
  }

  /** A process has ended. @returns the tests for the next one, by their ids */
  endProcess(end: Omit<ProcessEnd, 'done'>): string[] {
    const { next, errors } = endProcess(this.tests, { ...end, done: this.#done });
    this.#done = null;
    this.#open.clear();
    this.errors.push(...errors);
    return next;
  }

  #plan(tests: readonly PlannedTest[]): void {
    for (const test of tests) {
      const isKnown = this.#tests.has(test.id);
      if (!isKnown && this.#tests.size < MAX_TESTS) this.#tests.set(test.id, newTest(test));
    }
  }

  #change(id: string, change: Partial<TestRecord>): void {
    const test = this.#tests.get(id);
    if (test && test.status === null) Object.assign(test, change);
  }

  #beginStep({ test, step, parent, title, category, at }: SpecEventOf<'stepBegin'>): void {
    const found = this.#tests.get(test);
    this.#steps += 1;
    if (!found || this.#steps > MAX_STEPS) return;
    const begun = { title, category, startMs: this.#since(at), durationMs: null, steps: [] };
    const around = parent === undefined ? undefined : this.#open.get(parent);
    (around ?? found).steps.push(begun);
    this.#open.set(step, begun);
  }

  #endStep({ step: id, at, error }: SpecEventOf<'stepEnd'>): void {
    const step = this.#open.get(id);
    if (!step) return;
    step.durationMs = Math.max(0, this.#since(at) - step.startMs);
    step.error = error;
    this.#open.delete(id);
  }

  #since(at: number): number {
    return Math.max(0, at - this.#startedAt);
  }

  #count(counts: TraceSummary): void {
    for (const name of Object.keys(counts) as (keyof TraceSummary)[]) {
      this.summary[name] += counts[name];
    }
  }
}

function keep<T>(list: T[], item: T): void {
  if (list.length < MAX_ITEMS) list.push(item);
}
