import { type Html, html } from './html.ts';

/** `clock`: 13:35 UTC; `day`: 12 Jan; `moment`: 12 Jan, 13:35 UTC; `full`: the same with the year. */
export type TimeForm = 'clock' | 'day' | 'moment' | 'full';

const PARTS = {
  clock: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  full: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<TimeForm, Intl.DateTimeFormatOptions>;

/** What writes a moment (epoch ms) in UTC. Made when it is first needed, as the first one of a process takes 40 ms. */
export function utcFormat(parts: Intl.DateTimeFormatOptions): (ms: number) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (ms) => {
    made ??= new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
    return made.format(ms);
  };
}

const FORMATS = {
  clock: utcFormat(PARTS.clock),
  day: utcFormat(PARTS.day),
  moment: utcFormat(PARTS.moment),
  full: utcFormat(PARTS.full),
} as const satisfies Record<TimeForm, unknown>;

/** A moment (epoch ms) as text in UTC. */
export function utcText(ms: number, form: TimeForm): string {
  const text = FORMATS[form](ms);
  return form === 'day' ? text : `${text} UTC`;
}

/**
 * A moment (epoch ms) in UTC, which the script of the page puts into the reader's zone.
 * @param withUtc whether UTC still stands beside it then
 */
export function time(ms: number, form: TimeForm, withUtc = false): Html {
  const iso = new Date(ms).toISOString();
  const utc = withUtc && html` data-utc=""`;
  return html`<time datetime="${iso}" data-form="${form}"${utc}>${utcText(ms, form)}</time>`;
}
