import type { StoreLog } from '#main/store/store-log.ts';

/** A log that keeps what it is told. */
export class RecordingLog implements StoreLog {
  readonly lines: { level: 'warn' | 'error'; message: string; fields: object }[] = [];

  warn(fields: object, message: string): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(fields: object, message: string): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
