import { type ChildProcess, spawn } from 'node:child_process';
import { markOf } from './processes.ts';

/**
 * Reads lines of process groups, of which the last counts, until its input ends as the appliance is gone.
 * Then it kills those groups, and whatever carries the mark, where the system has /proc.
 */
const PROGRAM = `
while read -r line; do groups=$line; done
for try in 1 2 3 4 5; do
  for group in $groups; do kill -9 -- "-$group"; done
  for file in $(grep -slF -- "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}"
  done
  sleep 0.1
done
`;

/**
 * A small process that outlives the appliance by a moment, even when that is killed, and ends the runs
 * that no cage ends. It starts with the first run.
 */
export class Guard {
  readonly #folder: () => string;
  readonly #groups = new Set<number>();
  #child: ChildProcess | undefined;

  /** @param folder which all runs of this thread have their folders in */
  constructor(folder: () => string) {
    this.#folder = folder;
  }

  add(group: number): void {
    this.#groups.add(group);
    this.#tell();
  }

  remove(group: number): void {
    this.#groups.delete(group);
    this.#tell();
  }

  /** Ends it, where there is nothing left to guard. */
  close(): void {
    this.#child?.kill('SIGKILL');
  }

  #tell(): void {
    this.#child ??= this.#start();
    this.#child.stdin?.write(`${[...this.#groups].join(' ')}\n`);
  }

  #start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', PROGRAM, 'watchpost-guard', markOf(this.#folder())], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '' },
      cwd: '/',
      // Ctrl-C in a terminal ends the appliance, and must not end its guard.
      detached: true,
    });
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    // Where it cannot start or was killed, the next run starts another.
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.once('error', forget).once('exit', forget);
    child.stdin?.on('error', forget);
    return child;
  }
}
