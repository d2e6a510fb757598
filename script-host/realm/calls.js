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

  const begin = (operation, text) =>
    new Promise((resolve, reject) => {
      const call = String(++lastCall);
      ask(operation, call, text);
      waiting.set(call, { resolve, reject });
    });
  const settle = (call, text) => {
    const waiter = waiting.get(call);
    waiting.delete(call);
    const { response, error, refusal } = P.parse(text);
    if (refusal !== undefined) waiter?.reject(nodeError(P, refusal));
    else if (error === undefined) waiter?.resolve(response);
    else waiter?.reject(new P.TypeError(error));
  };
  return { begin, settle };
}
