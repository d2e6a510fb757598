import type { BrowserRunnerData, Cause } from '#shared/runs/protocol.ts';
import { Admission, type NotAdmitted } from './admission.ts';
import type { Caged, CagedOptions } from './caged.ts';
import { freeMemory } from './free-memory.ts';
import { Guard } from './guard.ts';
import { ownProcesses } from './processes.ts';
import { RunFolders, removeFolder } from './run-folders.ts';
import { type CageParts, startCaged } from './start-caged.ts';
import { TreeWatch } from './tree-watch.ts';

/** Where and how a run takes place. */
export interface Place {
  /** Its own, empty, with a short path; it is removed after the run. */
  folder: string;
  /** Milliseconds that it waited before it began. */
  waitedMs: number;
}

/** Why a run did not take place, or was broken off, through no fault of its target. */
export interface CageRefusal {
  refused: { cause: Cause; message: string };
  waitedMs: number;
}

export type CageSettings = Pick<
  BrowserRunnerData,
  'runsFolder' | 'bwrap' | 'requireCage' | 'browsersAtOnce'
>;

/** How long runs may go on by themselves when the appliance stops, which waits 5 s for their results. */
const GRACE_MS = 2_000;
const STOPPED = 'The appliance stopped.';
const NOTICE =
  'This run was not closed in: bubblewrap (bwrap) is not installed, does not work on this machine, or is turned off. Its script could read what the user of Watchpost can.';
const NO_CAGE =
  'Nothing runs without a sandbox, as the setting browserSandbox says, and bubblewrap (bwrap) is not installed here or does not work. Install it, or set WATCHPOST_BROWSER_SANDBOX to prefer.';

/**
 * The cages of one thread: who may begin, the folder of each run, and that nothing of a run is left when it
 * is over, or when the appliance stops.
 */
export class Cages {
  readonly #settings: CageSettings;
  readonly #folders: RunFolders;
  readonly #guard: Guard;
  readonly #parts: CageParts;
  readonly #admission: Admission;
  /** The runs under way, and the programs, of which some serve several runs. */
  readonly #runs = new Set<Promise<unknown>>();
  readonly #programs = new Set<Caged>();
  #isStopped = false;
  /** Ends a program that no run needs; whoever starts such sets it. */
  onShortMemory: () => void = () => {};

  constructor(settings: CageSettings) {
    const { runsFolder, bwrap, browsersAtOnce } = settings;
    this.#settings = settings;
    this.#folders = new RunFolders(runsFolder);
    this.#guard = new Guard(() => this.#folders.own);
    const source = ownProcesses();
    this.#parts = { bwrap, source, watch: new TreeWatch(source), guard: this.#guard };
    this.#admission = new Admission({
      ...{ atOnce: browsersAtOnce, freeMemory },
      makeRoom: () => this.onShortMemory(),
    });
  }

  /** Whether programs are closed in, so that they see nothing of the machine but what is named. */
  get areClosed(): boolean {
    return this.#parts.bwrap !== null;
  }

  /** What the log of a run says where it is not closed in; null where it is. */
  get notice(): string | null {
    return this.areClosed ? null : NOTICE;
  }

  /**
   * Waits for its turn, has a run take place, and removes its folder. The programs that it starts in that
   * folder have ended by then.
   */
  async use<T>(work: (place: Place) => Promise<T>): Promise<T | CageRefusal> {
    if (this.#settings.requireCage && !this.areClosed) return refusal('UNSUPPORTED', NO_CAGE, 0);
    const admitted = await this.#admission.admit();
    if ('why' in admitted) return notAdmitted(admitted);
    const { waitedMs, release } = admitted;
    const run = this.#inFolder((folder) => work({ folder, waitedMs }));
    this.#runs.add(run);
    try {
      const outcome = await run;
      return this.#isStopped ? refusal('RUNNER_LOST', STOPPED, waitedMs) : outcome;
    } finally {
      this.#runs.delete(run);
      release();
    }
  }

  async #inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.makeFolder();
    try {
      return await work(folder);
    } finally {
      await removeFolder(folder);
    }
  }

  /** A folder for a program that outlives the runs it serves; whoever made it removes it. */
  makeFolder(): Promise<string> {
    return this.#folders.make();
  }

  start(options: CagedOptions): Caged {
    const program = startCaged(options, this.#parts);
    this.#programs.add(program);
    void program.ended.then(() => this.#programs.delete(program));
    return program;
  }

  /** Ends and removes what earlier threads of this appliance left. */
  reap(): Promise<void> {
    return this.#folders.reap(this.#parts.source);
  }

  /**
   * No run begins any more. Those under way may go on for a moment; then they are killed, and end as
   * `RUNNER_LOST`. Resolves when nothing is left of any.
   */
  async close(graceMs = GRACE_MS): Promise<void> {
    this.#admission.stop();
    await Promise.race([this.#over(), pause(graceMs)]);
    this.#isStopped = true;
    for (const program of this.#programs) program.kill('stopped');
    await Promise.all([this.#over(), ...[...this.#programs].map(({ ended }) => ended)]);
    this.#guard.close();
    await this.#folders.close();
  }

  async #over(): Promise<void> {
    await Promise.allSettled(this.#runs);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function notAdmitted({ why, message, waitedMs }: NotAdmitted): CageRefusal {
  return refusal(why === 'stopped' ? 'RUNNER_LOST' : 'INTERNAL', message, waitedMs);
}

function refusal(cause: Cause, message: string, waitedMs: number): CageRefusal {
  return { refused: { cause, message }, waitedMs };
}
