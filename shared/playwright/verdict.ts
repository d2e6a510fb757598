import type { RunError } from './detail.ts';
import type { ScriptRecord } from './script-record.ts';
import { isUnexpected, type TestRecord } from './test-record.ts';

/** What went wrong in a run of a script, and of which test; null for what belongs to none. */
export interface ScriptError {
  test: string | null;
  error: RunError;
}

/** Everything that went wrong, in the order of the tests. A script without tests is wrong too. */
export function scriptErrors({ errors, tests }: ScriptRecord): ScriptError[] {
  const own = errors.map((error) => ({ test: null, error }));
  const others = tests
    .filter(isUnexpected)
    .flatMap((test) => errorsOf(test).map((error) => ({ test: titleOf(test), error })));
  const all = [...own, ...others];
  return all.length > 0 || tests.length > 0 ? all : [{ test: null, error: NO_TESTS }];
}

const NO_TESTS: RunError = { message: 'The script has no test: nothing was checked' };

function errorsOf({ errors, status, expected }: TestRecord): RunError[] {
  if (errors.length > 0) return errors;
  if (status === 'passed') return [{ message: 'Expected to fail, but passed' }];
  return [{ message: `Expected to be ${expected}, but was ${status}` }];
}

/** The titles of the groups around a test and its own. */
export function titleOf({ path }: Pick<TestRecord, 'path'>): string {
  return path.join(' › ');
}

/** Why a run fails, in a sentence: its first error. Null for a run without one. */
export function failureMessage([first]: readonly ScriptError[]): string | null {
  if (!first) return null;
  const { test, error } = first;
  const { location } = error;
  const place = location ? ` (${location.file}:${location.line})` : '';
  return `${test === null ? '' : `${test}: `}${gist(error.message)}${place}`;
}

/** Lines of an assertion's message that say what was seen, and not how it was looked for. */
const SEEN = /^(?:Expected|Received)\b/;

/** What an error says in one line. */
function gist(message: string): string {
  const [first = '', ...others] = message.split('\n').map((line) => line.trim());
  const seen = others.filter((line) => SEEN.test(line)).map((line) => line.replace(/\s+/g, ' '));
  return [first.replace(/^Error: /, ''), ...seen.slice(0, 4)].join('; ');
}

/** Why a run that did not fail counts as degraded; empty where it does not. */
export function degradedReasons({ tests }: ScriptRecord): string[] {
  return tests.flatMap(({ degraded }) => degraded);
}
