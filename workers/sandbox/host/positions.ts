import { SCRIPT_BYTES } from '#shared/sandbox/script.ts';

/** A place in a script's own text, from 1. */
export interface Position {
  line: number | null;
  column: number | null;
}

const NOWHERE: Position = { line: null, column: null };

/**
 * The place of the innermost frame of a stack that lies in the file named. Frames of code made from
 * text tell where that text was made with lines counted otherwise: the frame after them tells better.
 */
export function positionInStack(stack: string, file: string): Position {
  for (const frame of stack.split('\n')) {
    if (!isFrameOf(file, frame) || frame.includes('(eval at ')) continue;
    const at = frame.lastIndexOf(`${file}:`);
    const [line = '', column = ''] = frame.slice(at + file.length + 1).split(':');
    return placed(line, column);
  }
  return NOWHERE;
}

function isFrameOf(file: string, frame: string): boolean {
  return frame.trimStart().startsWith('at ') && frame.includes(`${file}:`);
}

const IN_SNIPPET = /^\s+at (?:.*\()?snippet-([\w.-]{1,255})\.js:(\d{1,6}):\d+\)?$/;

/** Where the innermost frame of a stack lies in a snippet, and not in the file named: that place. */
export function snippetInStack(stack: string, file: string): { name: string; line: number } | null {
  for (const frame of stack.split('\n')) {
    if (isFrameOf(file, frame)) return null;
    const [, name, line] = IN_SNIPPET.exec(frame) ?? [];
    if (name !== undefined) return { name, line: Number(line) };
  }
  return null;
}

/**
 * What isolated-vm tells of a syntax error: the message with the place at its end, as
 * `Unexpected token [setup script:3:5]`.
 */
export function syntaxError(message: string, file: string): Position & { message: string } {
  const at = message.lastIndexOf(` [${file}:`);
  if (at < 0) return { message, ...NOWHERE };
  const [line = '', column = ''] = message.slice(at + file.length + 3).split(':');
  return { message: message.slice(0, at), ...placed(line, column) };
}

function placed(line: string, column: string): Position {
  const [atLine, atColumn] = [Number.parseInt(line, 10), Number.parseInt(column, 10)];
  return isPlace(atLine) && isPlace(atColumn) ? { line: atLine, column: atColumn } : NOWHERE;
}

/** A script may write its stack itself, and none has more lines or columns than it may have bytes. */
function isPlace(at: number): boolean {
  return at >= 1 && at <= SCRIPT_BYTES;
}
