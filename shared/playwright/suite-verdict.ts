import type { RunError } from './detail.ts';
import { isUnexpected, type SuiteRecord, type SuiteTest, suiteTitle } from './suite-record.ts';
import type { ScriptError } from './verdict.ts';

/** How the command of a suite ended. */
export interface SuiteEnd {
  /** Null where it was killed. */
  code: number | null;
  /** What it wrote to standard error that says most of why; empty where there is nothing. */
  words: string;
  /** Programs of Playwright that were asked for and are not here: `firefox`, `webkit`, `chromium`, `ffmpeg`. */
  wanted: readonly string[];
  /** Channels of a browser that are here. */
  channels: readonly string[];
  /** What is here, in words. */
  here: string;
}

/** Everything that went wrong, the first being the reason of the rest. A command without tests is wrong too. */
export function suiteErrors(record: SuiteRecord, end: SuiteEnd): ScriptError[] {
  const ofPlace = record.errors.filter(({ location }) => location !== undefined);
  const others = record.errors.filter(({ location }) => location === undefined);
  const found = [
    ...missingBrowsers(record, end),
    // A file that cannot be loaded has a place; that no test was found then is no more than what follows.
    ...ofPlace.map((error) => ({ test: null, error })),
    ...noTests(record, end),
    ...others.map((error) => ({ test: null, error })),
    ...record.tests.filter(isUnexpected).flatMap((test) => errorsOf(test, record)),
  ];
  return found.length > 0 || end.code === 0 ? found : [ofNoTest(exitWords(end))];
}

/** Why a run that did not fail counts as degraded; empty where it does not. */
export function suiteDegraded({ tests }: SuiteRecord): string[] {
  return tests.flatMap(({ degraded }) => degraded);
}

const ofNoTest = (message: string): ScriptError => ({ test: null, error: { message } });

/** Browsers that are nowhere: without a Chromium it is the machine that lacks something. */
const NEVER_HERE = ['firefox', 'webkit'];

function missingBrowsers(record: SuiteRecord, end: SuiteEnd): ScriptError[] {
  const { channels, here } = end;
  const wanted = end.wanted.filter((one) => NEVER_HERE.includes(one));
  const projects = new Set(record.tests.filter(isUnexpected).map(({ project }) => project));
  const absent = record.projects.filter(
    ({ name, browser, channel = 'chromium' }) =>
      projects.has(name) &&
      (wanted.includes(browser) || !['chromium', ...channels].includes(channel)),
  );
  const named = absent.map(({ name, browser, channel }) => {
    const what = channel === undefined ? browser : `the channel ${channel}`;
    return `${name === '' ? 'The configuration' : `The project ${name}`} asks for ${what}`;
  });
  const others = wanted.filter((one) => !absent.some(({ browser }) => browser === one));
  const all = [...named, ...others.map((one) => `A test asks for ${one}`)];
  return all.map((what) => ofNoTest(`${what}, and this machine has ${here}`));
}

function noTests(record: SuiteRecord, { code }: SuiteEnd): ScriptError[] {
  const { hasPlan, total, errors, tests } = record;
  if (hasPlan && total === 0) return [ofNoTest('The command found no test: nothing was checked')];
  if (hasPlan && code === 0 && tests.every(({ attempts }) => attempts === 0)) {
    return [ofNoTest('The command ran none of the tests that it found: nothing was checked')];
  }
  const isSilent = !hasPlan && errors.length === 0 && code === 0;
  return isSilent ? [ofNoTest('The command ran no test of Playwright: nothing was checked')] : [];
}

function errorsOf(test: SuiteTest, { projects }: SuiteRecord): ScriptError[] {
  const { status, expected, errors } = test;
  const title = suiteTitle(test, projects);
  const said: readonly RunError[] =
    errors.length > 0 ? errors : [{ message: `Expected to be ${expected}, but was ${status}` }];
  return said.map((error) => ({ test: title, error }));
}

function exitWords({ code, words }: SuiteEnd): string {
  const what = `The test command ended with exit code ${code}`;
  return words === '' ? what : `${what}: ${words}`;
}
