import { cut } from '#shared/assertions/text.ts';
import { assertionText } from './assertion-text.ts';
import type {
  AlertContent,
  ApplianceContent,
  DigestContent,
  FlappingContent,
  NotificationContent,
  TestNotice,
} from './notice.ts';
import { type Tone, titleOf, toneOf } from './title.ts';

/** One thing that a message says. */
export interface Fact {
  label: string;
  value: string;
}

/** A notice in words, which every channel lays out in its own way. */
export interface Message {
  title: string;
  tone: Tone;
  /** In the order in which they matter. */
  facts: readonly Fact[];
  link: string | null;
  /** ISO 8601 in UTC. */
  at: string;
}

/** Services cut or refuse longer texts. */
const MAX_TITLE = 250;
const MAX_VALUE = 900;

export function messageOf(notice: NotificationContent): Message {
  return {
    title: shortened(titleOf(notice), MAX_TITLE),
    tone: toneOf(notice),
    // A field of blanks is refused by some services, and the message with it.
    facts: factsOf(notice)
      .map(({ label, value }) => ({ label, value: shortened(value, MAX_VALUE) }))
      .filter(({ value }) => value !== ''),
    link: 'resultLink' in notice ? notice.resultLink : notice.link,
    at: notice.startedAt,
  };
}

/** A text as one line of a bounded length: a name may hold line breaks, which begin something else elsewhere. */
export function shortened(text: string, maxChars: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line.length > maxChars ? `${cut(line, maxChars - 1)}…` : line;
}

function factsOf(notice: NotificationContent): Fact[] {
  switch (notice.kind) {
    case 'alert':
      return alertFacts(notice);
    case 'test':
      return testFacts(notice);
    case 'digest':
      return digestFacts(notice);
    case 'flapping':
      return flappingFacts(notice);
    case 'own':
      return ownFacts(notice);
    case 'closing':
      return [{ label: 'At', value: instantText(notice.startedAt) }];
  }
}

function alertFacts(notice: AlertContent): Fact[] {
  const { failedAssertion, downForMs, since, check, statusCode } = notice;
  return told([
    ['Error', notice.error],
    ['Was down for', downForMs === null ? null : durationText(downForMs)],
    ['Target', check.target ?? null],
    ['Assertion', failedAssertion && assertionText(failedAssertion)],
    ['Since', since && instantText(since)],
    ['Location', notice.location?.name ?? null],
    [
      'Response time',
      notice.responseTimeMs === null ? null : `${Math.round(notice.responseTimeMs)} ms`,
    ],
    ['Status', statusCode === null ? null : `${statusCode} ${notice.statusText ?? ''}`.trim()],
    ['Run at', instantText(notice.startedAt)],
    ['Description', check.description],
    ['Check type', check.type],
    ['Group', notice.groupName],
    ['Tags', check.tags.join(', ')],
  ]);
}

function testFacts({ check, startedAt }: TestNotice): Fact[] {
  return told([
    ['About', check.description],
    ['Sent at', instantText(startedAt)],
  ]);
}

function digestFacts({ groups, causes, checkNames, count, startedAt }: DigestContent): Fact[] {
  const rest = count - checkNames.length;
  const names = checkNames.map((name) => `"${name}"`).join(', ');
  return told([
    ['First causes', causes.join('; ')],
    ['Groups', groups.map(({ name, count: size }) => `${name ?? 'no group'} (${size})`).join(', ')],
    ['Checks', rest > 0 && names !== '' ? `${names} and ${rest} more` : names],
    ['Since', instantText(startedAt)],
  ]);
}

function flappingFacts(notice: FlappingContent): Fact[] {
  const { settledAs, changes, spanMs, startedAt } = notice;
  return told([
    ['Changes', `${changes} within ${durationText(spanMs)}`],
    ['Alerts', settledAs === null ? 'held until it settles' : null],
    ['At', instantText(startedAt)],
    ['Group', notice.groupName],
    ['Tags', notice.check.tags.join(', ')],
  ]);
}

function ownFacts({ reason, since, lastedMs, isOver, condition }: ApplianceContent): Fact[] {
  return told([
    ['Reason', reason],
    ['Since', instantText(since)],
    ['Lasted', lastedMs === null ? null : durationText(lastedMs)],
    [
      'Alerts',
      condition === 'BLIND' && !isOver ? 'no target is blamed until it can see again' : null,
    ],
  ]);
}

/** Only what there is something to say of. */
function told(facts: readonly (readonly [string, string | null])[]): Fact[] {
  return facts.flatMap(([label, value]) =>
    value === null || value === '' ? [] : [{ label, value }],
  );
}

const UNITS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** A span in its two largest units, as people say it: `2 h 5 min`; below a second `under 1 s`. */
export function durationText(ms: number): string {
  let rest = Math.floor(Math.max(0, ms) / 1_000);
  const parts = UNITS.map(([unit, seconds]) => {
    const amount = Math.floor(rest / seconds);
    rest -= amount * seconds;
    return { amount, text: `${amount} ${unit}` };
  });
  const first = parts.findIndex(({ amount }) => amount > 0);
  if (first === -1) return 'under 1 s';
  return parts
    .slice(first, first + 2)
    .filter(({ amount }) => amount > 0)
    .map(({ text }) => text)
    .join(' ');
}

/** An ISO 8601 instant for people: `2026-01-15 12:00:00 UTC`. */
export function instantText(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
