/** One line of a run's log (contract 9.1). */
export interface JobLogLine {
  /** Epoch milliseconds. */
  time: number;
  msg: string;
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
}

const MAX_LINES = 100;
const MAX_CHARS = 2_500;

/** What a run did, step by step, for people to read. Bounded: what comes after is not kept. */
export class JobLog {
  readonly lines: JobLogLine[] = [];

  add(level: JobLogLine['level'], msg: string): void {
    if (this.lines.length < MAX_LINES) {
      this.lines.push({ time: Date.now(), msg: msg.slice(0, MAX_CHARS), level });
    }
  }
}
