import { randomInt, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { dateText } from '#shared/templates/date-text.ts';
import type { Helper, Value } from './syntax-tree.ts';

const MAX_RANDOM_NUMBER = 10_000;

/** Whether a block is shown: as Handlebars has it, an empty list counts as nothing. */
export function isTruthy(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** A value as it is printed: a list with commas, nothing as nothing. */
export function textOf(value: Value): string {
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
}

/** Negative, 0 or positive; as numbers where both are, else as texts. NaN where one is nothing. */
function order(a: Value, b: Value): number {
  if (a === null || a === undefined || b === null || b === undefined) return Number.NaN;
  const [one, other] = [textOf(a), textOf(b)];
  const difference = Number(one) - Number(other);
  if (one !== '' && other !== '' && !Number.isNaN(difference)) return difference;
  return one < other ? -1 : Number(one > other);
}

const isSame = (a: Value, b: Value) => textOf(a) === textOf(b);

const COMPARISONS: ReadonlyMap<string, (a: Value, b: Value) => boolean> = new Map([
  ['==', isSame],
  ['===', (a, b) => a === b],
  ['!=', (a, b) => !isSame(a, b)],
  ['!==', (a, b) => a !== b],
  ['<', (a, b) => order(a, b) < 0],
  ['<=', (a, b) => order(a, b) <= 0],
  ['>', (a, b) => order(a, b) > 0],
  ['>=', (a, b) => order(a, b) >= 0],
]);

function holds(list: Value, item: Value): boolean {
  if (Array.isArray(list)) return list.includes(textOf(item));
  return textOf(list).includes(textOf(item));
}

function remainder(value: Value, divisor: Value): number {
  return Number(textOf(value)) % Number(textOf(divisor));
}

/** The text after `name:` or `name=` in the first tag that begins so. */
function tagValue([tags, name, fallback]: readonly Value[]): Value {
  const list = Array.isArray(tags) ? tags : [];
  const key = textOf(name);
  const tag = list.find((one) => one.startsWith(`${key}:`) || one.startsWith(`${key}=`));
  return tag === undefined ? fallback : tag.slice(key.length + 1);
}

function yearText([digits]: readonly Value[], now: Date): string {
  const year = String(now.getUTCFullYear());
  const count = Number(digits ?? year.length);
  return count > 0 ? year.slice(-count) : year;
}

const load = createRequire(import.meta.url);

const date: Helper = (args, { now }) =>
  dateText(args.map(textOf), { now, load, readsIso: true }) ?? '';

/** Helpers that take as long as so many steps of a template do: about a millisecond (measured). */
export const SLOW_HELPERS: ReadonlyMap<Helper, number> = new Map([[date, 500]]);

/** The helpers of templates. A map, so that nothing inherited counts as one. */
export const HELPERS: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['eq', ([a, b]) => a === b],
  ['is', ([a, b]) => isSame(a, b)],
  ['isnt', ([a, b]) => !isSame(a, b)],
  ['gt', ([a, b]) => order(a, b) > 0],
  ['gte', ([a, b]) => order(a, b) >= 0],
  ['lt', ([a, b]) => order(a, b) < 0],
  ['lte', ([a, b]) => order(a, b) <= 0],
  ['compare', ([a, operator, b]) => COMPARISONS.get(textOf(operator))?.(a, b) ?? false],
  ['and', (args) => args.every(isTruthy)],
  ['or', (args) => args.some(isTruthy)],
  ['not', ([value]) => !isTruthy(value)],
  ['neither', ([a, b]) => !isTruthy(a) && !isTruthy(b)],
  ['isTruthy', ([value]) => isTruthy(value)],
  ['isFalsey', ([value]) => !isTruthy(value)],
  ['contains', ([list, item]) => holds(list, item)],
  ['has', ([list, item]) => holds(list, item)],
  ['default', (args) => args.find((value) => value !== null && value !== undefined)],
  ['ifEven', ([value]) => remainder(value, 2) === 0],
  ['ifOdd', ([value]) => Math.abs(remainder(value, 2)) === 1],
  ['ifNth', ([nth, value]) => remainder(value, nth) === 0],
  ['unlessEq', ([a, b]) => a !== b],
  ['unlessGt', ([a, b]) => !(order(a, b) > 0)],
  ['unlessGteq', ([a, b]) => !(order(a, b) >= 0)],
  ['unlessLt', ([a, b]) => !(order(a, b) < 0)],
  ['unlessLteq', ([a, b]) => !(order(a, b) <= 0)],
  ['tagValue', tagValue],
  ['startsWith', ([prefix, text]) => textOf(text).startsWith(textOf(prefix))],
  // A function: no `$1` in the new text means anything.
  ['replace', ([text, old, by]) => textOf(text).replace(textOf(old), () => textOf(by))],
  [
    'split',
    ([text, separator, index]) => textOf(text).split(textOf(separator))[Number(index ?? 0)],
  ],
  ['year', (args, { now }) => yearText(args, now)],
  ['date', date],
  ['moment', date],
  ['$UUID', () => randomUUID()],
  ['$RANDOM_NUMBER', () => randomInt(MAX_RANDOM_NUMBER + 1)],
]);
