import type { z } from 'zod';
import { text } from '#renderer/messages/messages.ts';
import { ALERT_SUBJECTS, type AlertSubject, type AlertType } from '#shared/alerting/alert-type.ts';
import type { toldAlert } from '#shared/notifications/told-alert.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import { channelName, serviceName } from './channel-name.ts';
import { StateIcon } from './state-icon.tsx';
import styles from './told-list.module.css';

const words = text.parts.alerts;

type ToldAlert = z.output<typeof toldAlert>;
export type Sent = ToldAlert['told'][number];

const STATES: Readonly<Record<AlertSubject, CheckState>> = {
  failing: 'failing',
  degraded: 'degraded',
  passing: 'passing',
  expiry: 'degraded',
  nothing: 'inconclusive',
};

/** The state that an alert tells of. */
export function alertState(type: AlertType): CheckState {
  return STATES[ALERT_SUBJECTS[type]];
}

/** Who was told of an alert and what came of each send, or why nobody was. */
export function ToldList({ withheld, told }: Pick<ToldAlert, 'withheld' | 'told'>) {
  return (
    <>
      {withheld !== undefined && <p className={styles.told}>{words.withheld[withheld]}</p>}
      <ul>
        {told.map((one) => (
          <li key={one.id} className={styles.told}>
            <StateIcon state={sentState(one.status)} isNamed={false} size={12} />
            <span>
              {words.statuses[one.status]} {receiverOf(one)}
              {one.notificationResult !== null && ` · ${one.notificationResult}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function sentState(status: Sent['status']): CheckState {
  if (status === 'SUCCESS') return 'passing';
  return status === 'IN_PROGRESS' ? 'pending' : 'failing';
}

/** A channel as it is called now, else what it is. */
function receiverOf({ type, alertConfig: config, alertChannelId }: Sent): string {
  return channelName({ config }) ?? `${serviceName({ type, config })} ${alertChannelId}`;
}
