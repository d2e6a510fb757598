import type { Readable } from 'node:stream';
import { LineReader } from '#shared/sandbox/script-host.ts';
import type { LogStream } from './caged.ts';

/** Characters of one line, and of all lines, that a program may write to file descriptor 3. */
const MAX_LINE_CHARS = 16 * 1024 ** 2;
const MAX_CHARS = 256 * 1024 ** 2;
/** Characters of standard output and of standard error that are handed on; the rest is dropped. */
const MAX_LOG_CHARS = 1024 ** 2;

/** Hands on each line; calls `onTooMuch` once where one, or all together, are longer than they may be. */
export function readLines(
  stream: Readable,
  onLine: (line: string) => void,
  onTooMuch: () => void,
): void {
  const reader = new LineReader(MAX_LINE_CHARS);
  let chars = 0;
  const giveUp = () => {
    stream.removeAllListeners('data').resume();
    onTooMuch();
  };
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    chars += chunk.length;
    const lines = chars > MAX_CHARS ? null : reader.push(chunk);
    if (lines === null) giveUp();
    else for (const line of lines) onLine(line);
  });
}

/** Hands on text as it comes, up to a bound. */
export function readLog(
  stream: Readable,
  name: LogStream,
  onLog: (stream: LogStream, text: string) => void,
): void {
  let left = MAX_LOG_CHARS;
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (left <= 0) return;
    const text = chunk.slice(0, left);
    left -= chunk.length;
    onLog(name, left < 0 ? `${text}\n… (the rest of ${name} is dropped)\n` : text);
  });
}
