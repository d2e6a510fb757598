import { stripVTControlCharacters } from 'node:util';
import type { LogLine } from '#shared/playwright/detail.ts';
import type { LogStream } from '../cage/caged.ts';

/** Characters of a line that are held: what lies across the cut of a shown one may have to be hidden. */
const MAX_HELD_CHARS = 4_000;
const MAX_LINES = 20_000;

/** What looks like the reason of a failure among many lines. It is shown, and decides nothing. */
const REASON = /\b\w*error\b|not found/i;

/** What the commands of a run write, line by line, with lines of the monitor's own between them. */
export class OutputLog {
  readonly #lines: LogLine[] = [];
  readonly #rest = new Map<LogStream, string>();
  readonly #errors: string[] = [];
  readonly #folder: string;

  /** @param folder whose name is left out of paths in it */
  constructor(folder: string) {
    this.#folder = `${folder}/`;
  }

  /** A piece of output, which may end within a line. */
  add(stream: LogStream, text: string): void {
    const lines = `${this.#rest.get(stream) ?? ''}${text}`.split('\n');
    this.#rest.set(stream, (lines.pop() ?? '').slice(0, MAX_HELD_CHARS));
    for (const line of lines) this.#push(stream, line);
  }

  /** A line of the monitor's own. */
  note(level: LogLine['level'], msg: string, time = Date.now()): void {
    this.#lines.push({ time, level, msg });
  }

  /** Ends the line that each stream has begun: a command is over. */
  end(): void {
    for (const [stream, rest] of this.#rest) this.#push(stream, rest);
    this.#rest.clear();
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** What says most of why a command failed, of what it wrote to standard error since the last call. */
  takeReason(): string {
    const errors = this.#errors.splice(0);
    return (errors.find((line) => REASON.test(line)) ?? errors.at(-1) ?? '').slice(0, 500);
  }

  #push(stream: LogStream, line: string): void {
    const plain = stripVTControlCharacters(line).replaceAll(this.#folder, '').trimEnd();
    const msg = plain.slice(0, MAX_HELD_CHARS);
    if (msg === '' || this.#lines.length >= MAX_LINES) return;
    this.#lines.push({ time: Date.now(), level: stream === 'stdout' ? 'INFO' : 'WARN', msg });
    if (stream === 'stderr') this.#errors.push(msg.trim());
  }
}
