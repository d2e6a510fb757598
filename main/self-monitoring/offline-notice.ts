import type { ApplianceContent } from '#shared/notifications/notice.ts';
import { reasonText } from '#shared/self-monitoring/connectivity.ts';
import type { Outage } from './connectivity-context.ts';

/** What people are told when the monitor was blind for a while, and when it sees again. */
export function offlineNotice(
  { reasons, since }: Outage,
  isOver: boolean,
  at: number,
): ApplianceContent {
  return {
    kind: 'own',
    condition: 'BLIND',
    isOver,
    reason: reasonText(reasons),
    since: new Date(since).toISOString(),
    lastedMs: isOver ? at - since : null,
    startedAt: new Date(at).toISOString(),
    link: null,
  };
}
