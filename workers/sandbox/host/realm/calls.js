/** The answer of the host to a call, or the error that it gave. */
export function readAnswer(P, answer) {
  const said = P.slice(answer, 1);
  if (answer[0] === '+') return said;
  throw answer[0] === '!' ? nodeError(P, P.parse(said)) : new P.Error(said);
}

/** An error as Node gives it: of a class, with a code. */
export function nodeError(P, { name, message, code }) {
  const Kind = P.errors[name] ?? P.Error;
  const error = new Kind(message);
  if (typeof code === 'string') error.code = code;
  return error;
}

/** What the host answers later: requests, and keys that another thread derives. */
export function makeCalls({ P, ask }) {
  const waiting = new Map();
  let lastCall = 0;

  const answerTo = (operation, text) =>
    new Promise((resolve) => {
      const call = String(++lastCall);
      ask(operation, call, text);
      waiting.set(call, resolve);
    });
  const begin = async (operation, text) => {
    // Made while the script asks: its stack has the line, which is gone when the answer comes.
    const failure = new P.TypeError('');
    const { response, error, refusal } = await answerTo(operation, text);
    if (refusal !== undefined) throw nodeError(P, refusal);
    if (error === undefined) return response;
    throw withMessage(P, failure, error);
  };
  const resolveCall = (call, text) => {
    const waiter = waiting.get(call);
    waiting.delete(call);
    waiter?.(P.parse(text));
  };
  return { begin, resolveCall };
}

/** The name of its class stands at the beginning of a stack, unless the script has changed that. */
function withMessage(P, error, message) {
  error.message = message;
  const { stack } = error;
  if (typeof stack === 'string') error.stack = `TypeError: ${message}${P.slice(stack, 9)}`;
  return error;
}
