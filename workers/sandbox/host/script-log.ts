import type { ScriptLogLine } from '#shared/sandbox/script.ts';
import { MAX_LOG_CHARS, MAX_LOG_LINES } from '#shared/sandbox/script-host.ts';

const LEVELS: readonly string[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/**
 * The log of one script, bounded here once more: the bound inside a realm spares the way, this one
 * holds. One line more than the limit, for the one that says so.
 */
export class ScriptLog {
  readonly lines: ScriptLogLine[] = [];
  #chars = 0;

  add(time: unknown, level: unknown, msg: unknown): void {
    if (typeof time !== 'number' || typeof level !== 'string' || typeof msg !== 'string') return;
    if (!LEVELS.includes(level) || !Number.isFinite(time)) return;
    if (this.lines.length > MAX_LOG_LINES || this.#chars + msg.length > MAX_LOG_CHARS + 200) return;
    this.#chars += msg.length;
    this.lines.push({ time: Math.round(time), level: level as ScriptLogLine['level'], msg });
  }
}
