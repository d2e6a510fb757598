import { cut, type Show } from '#shared/assertions/text.ts';

/** One line of a run's log. */
export interface JobLogLine {
  /** Epoch milliseconds. */
  time: number;
  msg: string;
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
}

const MAX_LINES = 100;
const MAX_CHARS = 2_500;
/** Characters of a line until it is shown: what lies across the cut may have to be hidden. */
const MAX_HELD_CHARS = 4_000;

/** What a run did, step by step, for people to read. Bounded: what comes after is not kept. */
export class JobLog {
  readonly #lines: JobLogLine[] = [];
  readonly #maxLines: number;

  constructor(maxLines = MAX_LINES) {
    this.#maxLines = maxLines;
  }

  add(level: JobLogLine['level'], msg: string): void {
    this.append({ time: Date.now(), msg, level });
  }

  /** Adds a line that somebody else wrote. */
  append({ time, msg, level }: JobLogLine): void {
    if (this.#lines.length < this.#maxLines) {
      this.#lines.push({ time, msg: msg.slice(0, MAX_HELD_CHARS), level });
    }
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** The lines as a result keeps them. */
  shown(show: Show = cut): JobLogLine[] {
    return this.#lines.map(({ time, msg, level }) => ({ time, msg: show(msg, MAX_CHARS), level }));
  }
}
