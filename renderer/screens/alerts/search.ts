import { choiceParam, textParam } from '#renderer/app/search-params.ts';
import { PERIODS, type Period } from '#renderer/parts/period.ts';
import { ALERT_SAYINGS } from '#shared/alerting/alert-type.ts';

/** Which alerts are shown: all of it stands in the address. */
export interface AlertsSearch {
  period?: Period | undefined;
  says?: (typeof ALERT_SAYINGS)[number] | undefined;
  told?: 'yes' | 'no' | undefined;
  /** The id of a check. */
  check?: string | undefined;
}

export const DEFAULT_ALERTS_PERIOD: Period = '7d';

export function readSearch(search: Record<string, unknown>): AlertsSearch {
  return {
    period: choiceParam(search.period, PERIODS),
    says: choiceParam(search.says, ALERT_SAYINGS),
    told: choiceParam(search.told, ['yes', 'no']),
    check: textParam(search.check),
  };
}
