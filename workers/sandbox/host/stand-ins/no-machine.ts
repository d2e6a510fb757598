// What a bundled library finds in place of `fs`, `os`, `module` and `process` of Node: a machine
// without files. It reaches nothing; it is here so that a library loads and says what is missing.

/**
 * There is no file to read.
 *
 * @throws always, as Node does where a file is missing.
 */
export function readFileSync(path: unknown): never {
  const problem = new Error(`ENOENT: no such file or directory, open '${path}'`);
  throw Object.assign(problem, { code: 'ENOENT', errno: -2, syscall: 'open', path });
}

/** No path leads anywhere. */
export const existsSync = (): boolean => false;

/** The folder that `process.cwd` of a realm names too. */
export const homedir = (): string => '/';

/** Names that stack traces leave out; those of a realm have none of Node. */
export const builtinModules: readonly string[] = [];
