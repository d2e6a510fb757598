/** What Node calls an error that it gave. */
export interface NodeError {
  /** The name of its class. */
  name: string;
  code: string | null;
}

/** What a script asked for cannot be done: the message is for the script. */
export class Refusal extends Error {
  /** Null where Node has no such error: the refusal is our own. */
  readonly node: NodeError | null;

  constructor(message: string, node: NodeError | null = null) {
    super(message);
    this.node = node;
  }
}

/**
 * Calls a function of Node with what a script gave: what Node does not take is refused in its words.
 * The task calls nothing else, so that no error of our own is told.
 */
export function asNodeDoes<T>(task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The refusal for an error of Node. */
export function refusalOf(error: unknown): Refusal {
  const { message, name, code } = error as NodeJS.ErrnoException;
  return new Refusal(message, { name, code: code ?? null });
}
