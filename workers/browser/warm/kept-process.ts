import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caged, CagedEnd, CagedOptions } from '../cage/caged.ts';
import type { Cages } from '../cage/cages.ts';
import { removeFolder, temporaryFolderOf } from '../cage/run-folders.ts';
import { OWN_FOLDER, STAYS_LINE } from '../spec/job.ts';

/** How the process is started where none is there; its folder is given. */
export type KeptOptions = Omit<CagedOptions, 'folder'> & {
  /** Of the job, in the folder of the run. */
  jobPath: string;
  deadlineMs: number;
};

interface Live {
  caged: Caged;
  /** What it was started with, which another run may not do with. */
  made: string;
  listeners: Pick<CagedOptions, 'onLine' | 'onLog'>;
}

/** Of a job whose process goes on. */
const OVER: CagedEnd = { why: 'exited', code: 0, signal: null, peakBytes: 0 };

/**
 * The process of a script that stays for further runs of its check. From the end of one to the start of the
 * next it stands still, so that the appliance, which reads and writes its folder then, follows no link that it
 * makes meanwhile.
 */
export class KeptProcess {
  readonly #folder: string;
  #live: Live | null = null;
  #folders = 0;
  #served = 0;

  /** @param folder for itself and for each of its runs; made with the first */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What it has besides the folders of runs. */
  get ownFolder(): string {
    return join(this.#folder, OWN_FOLDER);
  }

  /** How many runs the process served that is there now; 0 where the next run gets a new one. */
  get servedRuns(): number {
    return this.#live === null ? 0 : this.#served;
  }

  /** Each run has another path, by which modules of earlier ones are not found. */
  async makeRunFolder(): Promise<string> {
    this.#folders += 1;
    const folder = join(this.#folder, String(this.#folders));
    await mkdir(temporaryFolderOf(folder), { recursive: true });
    return folder;
  }

  /** Resolves once the job is over and nothing of it goes on. */
  async run(cages: Cages, options: KeptOptions): Promise<CagedEnd> {
    const made = JSON.stringify([options.env, options.readable, options.writable]);
    if (this.#live?.made !== made) await this.end();
    const stays = Promise.withResolvers<null>();
    const { onLog, jobPath, deadlineMs } = options;
    const onLine = (line: string) =>
      line === STAYS_LINE ? stays.resolve(null) : options.onLine(line);
    const known = this.#live;
    const live = known ?? this.#start(cages, options, made);
    live.listeners = { onLine, onLog };
    known?.caged.thaw();
    known?.caged.send(jobPath);
    const deadline = setTimeout(() => live.caged.kill('deadline'), deadlineMs);
    const end = await Promise.race([stays.promise, live.caged.ended]);
    clearTimeout(deadline);
    this.#served += 1;
    if (end !== null || !(await live.caged.freeze())) await this.end();
    return end ?? OVER;
  }

  /** Breaks the job off that is under way. */
  kill(): void {
    this.#live?.caged.kill();
  }

  /** Removes what a run left. A process that wrote beside the folder of its run goes too. */
  async clear(): Promise<void> {
    const known = [OWN_FOLDER, String(this.#folders)];
    const names = await readdir(this.#folder);
    if (names.some((name) => !known.includes(name))) await this.end();
    const left = this.#live === null ? names : names.filter((name) => name !== OWN_FOLDER);
    for (const name of left) await removeFolder(join(this.#folder, name));
  }

  async end(): Promise<void> {
    const live = this.#live;
    this.#live = null;
    live?.caged.kill();
    await live?.caged.ended;
  }

  #start(cages: Cages, { jobPath: _, ...options }: KeptOptions, made: string): Live {
    const live: Live = {
      made,
      listeners: options,
      caged: cages.start({
        ...options,
        ...{ folder: this.#folder, deadlineMs: null },
        onLine: (line) => live.listeners.onLine(line),
        onLog: (stream, text) => live.listeners.onLog(stream, text),
      }),
    };
    this.#live = live;
    this.#served = 0;
    void live.caged.ended.then(() => {
      if (this.#live === live) this.#live = null;
    });
    return live;
  }
}
