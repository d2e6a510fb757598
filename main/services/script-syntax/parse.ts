import { type Options, type Program, parse } from 'acorn';
import type { ScriptVerdict } from '#shared/sandbox/script-verdict.ts';

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
};

/**
 * Parses a script as the body of an async function, which is how it will run: `await`,
 * `return` and `using` may stand anywhere, `import` may not.
 */
export function parseScript(code: string): ScriptVerdict {
  try {
    return judge(code);
  } catch (error) {
    // The parser keeps its own count of the stack everywhere but in regular expressions.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, message: 'The script is nested too deeply', line: null, column: null };
  }
}

function judge(code: string): ScriptVerdict {
  const wrapped = tryToParse(`(async function () {\n${code}\n})`);
  if (!isError(wrapped) && isOneFunction(wrapped)) return { ok: true };
  // By itself it has the places that its author sees; the wrapper's first line is not among them.
  const alone = tryToParse(code);
  if (isError(alone)) return verdict(alone, 0);
  return isError(wrapped) ? verdict(wrapped, 1) : { ok: true };
}

/** `}); evil(); (async function () {` is well inside the wrapper, and no body of a function. */
function isOneFunction({ body: [first, ...others] }: Program): boolean {
  return (
    others.length === 0 &&
    first?.type === 'ExpressionStatement' &&
    first.expression.type === 'FunctionExpression'
  );
}

type PlacedError = SyntaxError & { loc: { line: number; column: number } };

function tryToParse(text: string): Program | PlacedError {
  try {
    return parse(text, OPTIONS);
  } catch (error) {
    if (error instanceof SyntaxError && 'loc' in error) return error as PlacedError;
    throw error;
  }
}

function isError(parsed: Program | PlacedError): parsed is PlacedError {
  return parsed instanceof SyntaxError;
}

function verdict({ message, loc }: PlacedError, linesBefore: number): ScriptVerdict {
  // Acorn adds the place to its words, with columns from 0.
  const words = message.replace(/ \(\d+:\d+\)$/, '');
  const line = Math.max(1, loc.line - linesBefore);
  return { ok: false, message: words, line, column: loc.column + 1 };
}
