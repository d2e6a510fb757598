/** What the process that runs a script is told, as JSON in a file that it removes. Plain data only. */
export interface SpecJob {
  /** Of the run: holds the files of the check. */
  folder: string;
  /** With the tests, relative to the folder. */
  file: string;
  /** Ids of the tests to run; null for all of the first group. */
  only: readonly string[] | null;
  /** What `process.env` of the script has besides that of the process. */
  env: Readonly<Record<string, string>>;
  /** Of Playwright's configuration. */
  timeoutMs: number;
  expectTimeoutMs: number;
  /** Options of fixtures: `baseURL`, `viewport`, `trace`, … */
  use: Readonly<Record<string, unknown>>;
  /** Null for a check that has no browser. */
  browser: SpecBrowser | null;
  /** Whether the process is to wait for a next job of the same check, where this one leaves nothing in it. */
  stays: boolean;
  /** Whether it is to leave the code of Playwright for later processes. */
  leavesCode: boolean;
}

/** How pages are opened. */
export interface SpecBrowser {
  path: string;
  args: readonly string[];
  /** One that is running already, for scripts that ask for nothing special. */
  lent: LentBrowser | null;
  /** The program that makes videos; null where this machine has none. */
  ffmpeg: string | null;
}

/** A Chromium that runs already: where it takes commands, and answers. */
export interface LentBrowser {
  /** Named pipes. */
  input: string;
  output: string;
  /** What it was started with, but for its folder. */
  args: readonly string[];
  /** A folder that both see, where it puts what pages download. */
  downloads: string;
}

/** What the process writes among its events when it waits for its next job, and nothing of its last one is left. */
export const STAYS_LINE = 'stays';

/** In the folder of the run: what is not the script's own. */
export const OWN_FOLDER = '.watchpost';
/** In there: where Playwright looks for its programs. */
export const BROWSERS_FOLDER = 'browsers';

/** The files of a check as Playwright made them ready to run: one run leaves it, later ones find it. */
export const TRANSFORMED_FILE = `${OWN_FOLDER}/transformed.json`;
