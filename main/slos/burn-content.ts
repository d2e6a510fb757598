import type { Slo } from '#shared/analytics/slo.ts';
import { type BurnRates, exhaustedInMs } from '#shared/analytics/slo-rules.ts';
import { durationText } from '#shared/notifications/message.ts';
import type { ApplianceContent } from '#shared/notifications/notice.ts';

export interface BurnChange {
  /** ISO 8601: when it began. */
  since: string;
  isOver: boolean;
  reason: string;
}

/** The notification that an error budget burns fast, or no longer. */
export function burnContent(
  { id, name }: Slo,
  { since, isOver, reason }: BurnChange,
  at: number,
): ApplianceContent {
  return {
    kind: 'own',
    condition: 'SLO_BURN',
    slo: { id, name },
    isOver,
    reason,
    since,
    lastedMs: isOver ? at - Date.parse(since) : null,
    startedAt: new Date(at).toISOString(),
    link: null,
  };
}

export function burnReason({ windowDays }: Slo, { oneHour, sixHours }: BurnRates): string {
  const days = windowDays === 1 ? 'a day' : `${windowDays} days`;
  const gone = durationText(exhaustedInMs(oneHour ?? 0, windowDays));
  return `It burns ${rateText(oneHour)} as fast as it may over the last hour, ${rateText(sixHours)} over six hours: the budget of ${days} would last ${gone}`;
}

export function calmReason({ oneHour }: BurnRates): string {
  return `It burns ${rateText(oneHour)} as fast as it may over the last hour`;
}

function rateText(rate: number | null): string {
  return `${Number((rate ?? 0).toPrecision(3))} times`;
}
