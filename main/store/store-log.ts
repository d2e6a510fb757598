/** Where the stores say what no caller waits for. A pino logger is one. */
export interface StoreLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Used where no log is given: Node's own warnings, on standard error. */
export const processWarnings: StoreLog = {
  warn: (fields, message) => process.emitWarning(describe(fields, message)),
  error: (fields, message) => process.emitWarning(describe(fields, message)),
};

function describe(fields: object, message: string): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`);
  return `${message} (${details.join(', ')})`;
}
