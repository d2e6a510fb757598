/**
 * Why the appliance cannot start, as one clear line for the operator: it names the file, folder or
 * port, what is wrong with it and what was expected. Nothing was changed before it is thrown.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
