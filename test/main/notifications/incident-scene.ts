import type { Delivery } from '#main/notifications/channels/sender.ts';
import { incidentKey } from '#shared/notifications/incident-key.ts';
import type { NotificationContent, ToldAlertType } from '#shared/notifications/notice.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { toneOf } from '#shared/notifications/title.ts';
import { makeChannel } from '../../fixtures/notification-contents.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { outboxScene, owed, type Sending, TOLD } from './fixtures.ts';

export const many = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

/** What PagerDuty makes of events: the incidents that are open, and how often somebody is woken. */
class IncidentService {
  readonly open = new Set<string>();
  wakeUps = 0;
  closings = 0;

  take(notice: NotificationContent): void {
    const key = incidentKey(notice);
    if (key === null) return;
    if (toneOf(notice) === 'up') {
      this.closings += Number(this.open.delete(key));
    } else {
      this.wakeUps += Number(!this.open.has(key));
      this.open.add(key);
    }
  }
}

export const PAGERDUTY = makeChannel('PAGERDUTY', { serviceKey: 'key' }, { id: '1' });

/** An outbox with one channel that leads to such a service. */
export async function incidentScene({
  slowMs = 0,
  ...given
}: Parameters<typeof outboxScene>[0] & { slowMs?: number } = {}) {
  const clock = given.clock ?? new SimulatedClock();
  const service = new IncidentService();
  /** Null: it takes what comes. */
  let refusal: (sending: Sending) => Delivery | null = () => null;
  const start = (again: Parameters<typeof outboxScene>[0] = {}) =>
    outboxScene({
      channels: [PAGERDUTY],
      clock,
      ...given,
      ...again,
      answer: async (sending) => {
        const refused = refusal(sending);
        if (refused) return refused;
        if (sending.channelId === '1') service.take(sending.notice);
        if (slowMs > 0) {
          await new Promise<void>((resolve) => clock.setTimeout(resolve, slowMs));
        }
        return TOLD;
      },
    });
  const scene = await start();
  const alert = (name: string, alertType: ToldAlertType): StoredNotification => ({
    ...owed(name, scene.clock.now(), { alertType }),
    id: scene.desk.stamp().id,
    channelType: 'PAGERDUTY',
  });
  const fail = (...names: string[]) => names.map((name) => alert(name, 'ALERT_FAILURE'));
  const recover = (...names: string[]) => names.map((name) => alert(name, 'ALERT_RECOVERY'));
  const refuseWith = (next: typeof refusal) => {
    refusal = next;
  };
  return { ...scene, service, fail, recover, refuseWith, start };
}
