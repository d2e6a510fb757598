import { text } from '#renderer/messages/messages.ts';

const { units, bytes: byteUnits, percent: inPercent } = text.parts;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** By their digits; each is made when it is needed first, which takes a phone longer than to write a row. */
const numbers: Intl.NumberFormat[] = [];

/** Numbers as the language writes them. */
function number(value: number, digits: number): string {
  numbers[digits] ??= new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return numbers[digits].format(value);
}

/** A measured time: `182 ms`, `1.92 s`, `12.4 s`, `2 min`. */
export function milliseconds(ms: number): string {
  if (ms < 9.95 && !Number.isInteger(ms)) return units.ms(number(ms, 1));
  if (Math.round(ms) < SECOND_MS) return units.ms(number(ms, 0));
  const seconds = ms / SECOND_MS;
  if (seconds < 9.995) return units.s(number(seconds, 2));
  if (seconds < 99.95) return units.s(number(seconds, 1));
  return span(ms);
}

/** How long something lasts, in its largest unit: `12 s`, `14 min`, `6 h`, `3 days`. */
export function span(ms: number): string {
  if (ms < MINUTE_MS) return units.s(number(Math.floor(ms / SECOND_MS), 0));
  if (ms < HOUR_MS) return units.min(number(Math.floor(ms / MINUTE_MS), 0));
  if (ms < 2 * DAY_MS) return units.h(number(Math.floor(ms / HOUR_MS), 0));
  return units.days(number(Math.floor(ms / DAY_MS), 0));
}

/** A time in the unit that a check has it in: `1 day`, `10 minutes`. @param unit in the plural */
export function unitSpan(amount: number, unit: 'seconds' | 'minutes' | 'hours' | 'days'): string {
  return amount.toLocaleString('en', {
    style: 'unit',
    unit: unit.slice(0, -1),
    unitDisplay: 'long',
  });
}

/** `100 %`, `99.93 %`; never 100 where something is missing. */
export function percent(value: number): string {
  if (value === 100) return inPercent('100');
  const cut = Math.floor(value * 100) / 100;
  return inPercent(number(cut, 2));
}

export function bytes(count: number): string {
  if (count < 1_000) return byteUnits.B(number(count, 0));
  if (count < 1_000_000) return byteUnits.kB(number(count / 1_000, 1));
  if (count < 1_000_000_000) return byteUnits.MB(number(count / 1_000_000, 1));
  return byteUnits.GB(number(count / 1_000_000_000, 1));
}

/** A whole number: `10,000`. */
export function count(value: number): string {
  return number(value, 0);
}

const LOCAL: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const TIME: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const { year: _, ...DAY_AND_TIME } = LOCAL;
const { second: __, ...MINUTE } = TIME;

const OPTIONS = {
  whole: LOCAL,
  thisYear: DAY_AND_TIME,
  today: TIME,
  utc: { ...LOCAL, timeZone: 'UTC' },
  minute: MINUTE,
  dayAndMinute: { ...MINUTE, month: 'short', day: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
const formats: Partial<Record<keyof typeof OPTIONS, Intl.DateTimeFormat>> = {};

/** Made when it is needed first, as those of numbers. */
function format(name: keyof typeof OPTIONS, at: Date | number): string {
  formats[name] ??= new Intl.DateTimeFormat('en-GB', OPTIONS[name]);
  return formats[name].format(at);
}

/** A moment in the time of this machine, as short as it can be told from others: `14:21:08` today. */
export function moment(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return format('today', then);
  const isThisYear = then.getFullYear() === today.getFullYear();
  return format(isThisYear ? 'thisYear' : 'whole', then);
}

/** To the minute: `14:00`, or `24 Nov, 09:00` where that is not today. */
export function minute(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return format(isToday ? 'minute' : 'dayAndMinute', at);
}

/** A moment in full, here and in UTC, on two lines. */
export function bothTimes(at: number): string {
  return `${format('whole', at)}\n${text.parts.utc(format('utc', at))}`;
}

/** `12 s ago`, `in 3 min`. */
export function relative(at: number, now: number): string {
  const ms = now - at;
  if (Math.abs(ms) < SECOND_MS) return text.parts.justNow;
  return ms > 0 ? text.parts.ago(span(ms)) : text.parts.ahead(span(-ms));
}
