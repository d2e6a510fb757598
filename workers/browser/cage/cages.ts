import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserRunnerData, Cause } from '#shared/runs/protocol.ts';
import { Admission, type NotAdmitted } from './admission.ts';
import type { Caged, CagedOptions } from './caged.ts';
import { freeMemory } from './free-memory.ts';
import { Guard } from './guard.ts';
import { ownProcesses } from './processes.ts';
import { type CageParts, startCaged, temporaryFolderOf } from './start-caged.ts';
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
const NO_CAGE =
  'Nothing runs without a sandbox, as the setting browserSandbox says, and bubblewrap (bwrap) is not installed here or does not work. Install it, or set WATCHPOST_BROWSER_SANDBOX to prefer.';

/**
 * The cages of one thread: who may begin, the folder of each run, and that nothing of a run is left when it
 * is over, or when the appliance stops.
 */
export class Cages {
  readonly #settings: CageSettings;
  readonly #guard: Guard;
  readonly #parts: CageParts;
  readonly #admission: Admission;
  /** The folder of this thread, which those of its runs are in. */
  readonly #folder: string;
  readonly #programs = new Set<Caged>();
  #isStopped = false;

  constructor(settings: CageSettings) {
    const { runsFolder, bwrap, browsersAtOnce } = settings;
    this.#settings = settings;
    this.#folder = threadFolder(runsFolder);
    const source = ownProcesses();
    const watch = new TreeWatch(source);
    this.#guard = new Guard(this.#folder);
    this.#parts = { bwrap, source, watch, guard: this.#guard };
    this.#admission = new Admission({ atOnce: browsersAtOnce, freeMemory });
  }

  /** Whether programs are closed in, so that they see nothing of the machine but what is named. */
  get areClosed(): boolean {
    return this.#parts.bwrap !== null;
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
    const folder = await this.makeFolder();
    try {
      const outcome = await work({ folder, waitedMs });
      return this.#isStopped ? refusal('RUNNER_LOST', STOPPED, waitedMs) : outcome;
    } finally {
      release();
      await removeFolder(folder);
    }
  }

  /** A folder for a program that outlives the runs it serves; whoever made it removes it. */
  async makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(this.#folder, 'r'));
    await mkdir(temporaryFolderOf(folder));
    return folder;
  }

  start(options: CagedOptions): Caged {
    const program = startCaged(options, this.#parts);
    this.#programs.add(program);
    void program.ended.then(() => this.#programs.delete(program));
    return program;
  }

  /** No run begins any more; those under way are killed after a moment, and end as `RUNNER_LOST`. */
  async endRuns(): Promise<void> {
    this.#admission.stop();
    setTimeout(() => {
      this.#isStopped = true;
      this.#killAll();
    }, GRACE_MS);
  }

  /** Ends all that is under way and removes the folder of this thread. */
  async close(): Promise<void> {
    this.#admission.stop();
    this.#killAll();
    await Promise.all([...this.#programs].map(({ ended }) => ended));
    this.#guard.close();
    await removeFolder(this.#folder);
  }

  #killAll(): void {
    for (const program of this.#programs) program.kill('stopped');
  }
}

/** Removes the folder of a run, whatever rights its program left on what is in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

function threadFolder(runsFolder: string): string {
  mkdirSync(runsFolder, { recursive: true, mode: 0o700 });
  chmodSync(runsFolder, 0o700);
  return mkdtempSync(join(runsFolder, 't'));
}

function notAdmitted({ why, message, waitedMs }: NotAdmitted): CageRefusal {
  return refusal(why === 'stopped' ? 'RUNNER_LOST' : 'INTERNAL', message, waitedMs);
}

function refusal(cause: Cause, message: string, waitedMs: number): CageRefusal {
  return { refused: { cause, message }, waitedMs };
}
