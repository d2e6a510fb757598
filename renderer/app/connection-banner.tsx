import { connectionStore } from '#renderer/api/connection.ts';
import { useStore } from '#renderer/api/store.ts';
import { text } from '#renderer/messages/messages.ts';
import { join } from '#renderer/parts/join.ts';
import styles from './connection-banner.module.css';

/** Says that the appliance does not answer, until it does. */
export function ConnectionBanner() {
  const connection = useStore(connectionStore);
  return (
    <div role="status">
      {connection !== 'there' && (
        <p className={join(styles.banner, connection === 'back' && styles.back)}>
          {connection === 'lost' ? text.shell.lost : text.shell.back}
        </p>
      )}
    </div>
  );
}
