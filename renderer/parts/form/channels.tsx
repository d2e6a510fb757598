import { formText } from '#renderer/messages/editor.ts';
import { channelName, serviceName } from '#renderer/parts/channel-name.ts';
import { SwitchField } from '#renderer/parts/switch.tsx';
import type { ChannelType } from '#shared/notifications/config.ts';
import styles from './channels.module.css';
import { useMember } from './inputs.tsx';

const words = formText.channels;

/** A channel as far as those who subscribe to it care. */
export interface OfferedChannel {
  id: number;
  type: ChannelType;
  config: Readonly<Record<string, unknown>>;
}

interface Subscription {
  alertChannelId: number;
  activated: boolean;
}

/** The channels that are alerted, by name. */
export function useSubscribed(
  path: string,
  channels: readonly OfferedChannel[] | undefined,
  isAllByDefault: boolean,
) {
  const { value } = useMember(path);
  return (channels ?? [])
    .filter(({ id }) => isSubscribed(value, id, isAllByDefault))
    .map((channel) => ({ id: channel.id, name: channelName(channel) ?? serviceName(channel) }));
}

function isSubscribed(value: unknown, id: number, isAllByDefault: boolean): boolean {
  if (!Array.isArray(value)) return isAllByDefault;
  return (value as Subscription[]).some(
    ({ alertChannelId, activated }) => alertChannelId === id && activated,
  );
}

/** Who is alerted: a switch for each channel. */
export function ChannelInputs({
  path,
  channels,
  isAllByDefault = false,
}: {
  path: string;
  channels: readonly OfferedChannel[] | undefined;
  /** Whether all of them are meant where nothing was chosen. */
  isAllByDefault?: boolean;
}) {
  const { value, set, error } = useMember(path);
  if (channels === undefined) return null;
  if (channels.length === 0) {
    return <p>{words.none}</p>;
  }
  const toggle = (id: number, isOn: boolean) => {
    const before = Array.isArray(value)
      ? (value as Subscription[])
      : channels.map((one) => ({ alertChannelId: one.id, activated: isAllByDefault }));
    const others = before.filter(({ alertChannelId }) => alertChannelId !== id);
    set([...others, { alertChannelId: id, activated: isOn }]);
  };
  return (
    <fieldset className={styles.channels} data-path={path}>
      <legend className={styles.label}>{words.label}</legend>
      {channels.map((channel) => (
        <SwitchField
          key={channel.id}
          label={
            <>
              {channelName(channel)} <span className={styles.kind}>{serviceName(channel)}</span>
            </>
          }
          isOn={isSubscribed(value, channel.id, isAllByDefault)}
          onChange={(isOn) => toggle(channel.id, isOn)}
        />
      ))}
      {error !== undefined && <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}
