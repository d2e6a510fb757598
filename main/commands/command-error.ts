/** A command cannot do what was asked; the message, one line, says why. Exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}
