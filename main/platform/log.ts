import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import pino, { type DestinationStream, type Logger } from 'pino';
import { hideSecrets, hideSecretsInText, SERIALIZERS } from './redact.ts';
import type { Settings } from './settings/table.ts';

/** The log: lines of JSON with a level, a time and what the caller says. */
export type Log = Logger;

/** What few need is loaded when it is needed. */
const load = createRequire(import.meta.url);

const STANDARD_ERROR = 2;
/** What may wait for a slow reader of standard error; lines beyond it are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Makes the log. Whatever goes through it, bindings and errors too, has its secrets hidden.
 * @param level the least level that is written.
 * @param stream where lines go: standard error, for people on a terminal, else as JSON.
 */
export function createLog(
  level: Settings['logLevel'],
  stream: DestinationStream = standardError(),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: hideSecrets,
      },
      serializers: SERIALIZERS,
      hooks: { streamWrite: hideSecretsInText },
    },
    stream,
  );
}

/**
 * Lines as people read them on a terminal: each on one line but for the stack of an error, with the
 * time of their own clock.
 * @param destination a file descriptor or a stream
 */
export function forPeople(destination: number | NodeJS.WritableStream): DestinationStream {
  const pretty = load('pino-pretty') as typeof import('pino-pretty');
  const translateTime = 'SYS:yyyy-mm-dd HH:MM:ss';
  return pretty({ destination, sync: true, singleLine: true, translateTime });
}

function standardError(): DestinationStream {
  if (isatty(STANDARD_ERROR)) return forPeople(STANDARD_ERROR);
  // Not written synchronously: a reader that stalls must not stall the actors.
  return pino.destination({ dest: STANDARD_ERROR, sync: false, maxLength: MAX_WAITING_BYTES });
}
