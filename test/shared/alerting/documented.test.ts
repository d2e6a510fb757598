import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ALERT_SUBJECTS,
  ALERT_TYPES,
  STANDINGS,
  TRANSITIONS,
} from '#shared/alerting/alert-type.ts';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import { UNTOLD_REASONS } from '#shared/alerting/stored-alert.ts';
import { FLAG_OF } from '#shared/notifications/channel-flags.ts';

const GUIDE = readFileSync(new URL('../../../docs/guide/alerts.md', import.meta.url), 'utf8');

/** The rows of the table with this head, without the marks of code. */
function tableOf(head: string): string[] {
  const [, after = ''] = GUIDE.split(`${head}\n`);
  const [, ...rows] = after.split('\n\n')[0]?.split('\n') ?? [];
  return rows.map((row) => row.replaceAll('`', ''));
}

describe('docs/guide/alerts.md', () => {
  it('has the table of transitions', () => {
    expect(tableOf('| From | To | Alert | When |')).toEqual(
      STANDINGS.flatMap((from) =>
        STANDINGS.map((to) => {
          const { type, moment } = TRANSITIONS[from][to];
          return `| ${from} | ${to} | ${type} | ${moment} |`;
        }),
      ),
    );
  });

  it('has the types that each flag of a channel is for', () => {
    const rows = tableOf('| Flag of the channel | Alerts |');
    const flags = ['failing', 'degraded', 'passing', 'expiry'] as const;
    expect(rows.map((row) => row.match(/\w+/g)?.toSorted())).toEqual(
      flags.map((subject) =>
        [FLAG_OF[subject], ...ALERT_TYPES.filter((type) => ALERT_SUBJECTS[type] === subject)]
          .map(String)
          .toSorted(),
      ),
    );
  });

  it('has the reasons of withholding, in the order in which they win', () => {
    const rows = tableOf('| Reason | When |');
    expect(rows.map((row) => row.match(/\w+/)?.[0])).toEqual(UNTOLD_REASONS);
  });

  it('has the defaults of flapping', () => {
    const rows = tableOf('| Setting | Default | What it is |');
    expect(rows.map((row) => row.match(/\w+/g)?.slice(0, 2))).toEqual(
      Object.entries(flapSettings.parse({})).map(([name, value]) => [name, String(value)]),
    );
  });
});
