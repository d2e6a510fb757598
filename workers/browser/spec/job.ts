/** What the process that runs a script is told, as JSON in a file that it removes. Plain data only. */
export interface SpecJob {
  /** Of the run: holds the files of the check. */
  folder: string;
  /** The script, relative to the folder. */
  file: string;
  /** The check's name: the title of the one test of a script that has no tests of its own. */
  name: string;
  /** A script that imports no test runner: its body is one test. */
  isPlain: boolean;
  /** Ids of the tests to run; null for all of the first group. */
  only: readonly string[] | null;
  /** `process.env` of the script, whole. */
  env: Readonly<Record<string, string>>;
  /** Of Playwright's configuration. */
  timeoutMs: number;
  expectTimeoutMs: number;
  /** Options of fixtures: `baseURL`, `viewport`, `trace`, … */
  use: Readonly<Record<string, unknown>>;
  /** Null for a check that has no browser. */
  browser: SpecBrowser | null;
}

/** How pages are opened. */
export interface SpecBrowser {
  path: string;
  args: readonly string[];
  /** Of a browser that is running already, for scripts that ask for nothing special. */
  endpoint: string | null;
  /** Ports of this machine that pages may not open. */
  blockedPorts: readonly number[];
}

/** In the folder of the run: what is not the script's own. */
export const OWN_FOLDER = '.watchpost';
