import { useQuery } from '@tanstack/react-query';
import { editorText } from '#renderer/messages/editor.ts';
import { AlertSettingsInputs, alertSentence } from '#renderer/parts/form/alert-settings.tsx';
import { ChannelInputs, useSubscribed } from '#renderer/parts/form/channels.tsx';
import { SwitchInput } from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import { useEdited, useSetting } from '../editor-context.ts';
import { accountQuery, channelsQuery } from '../queries.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.alerts;

/** When alerts are sent, and to whom. */
export function AlertsSection() {
  const { checkId } = useEdited();
  const { data: channels } = useQuery(channelsQuery);
  const { data: account } = useQuery(accountQuery);
  const isGlobal = useSetting<boolean>('useGlobalAlertSettings');
  const muted = useSetting<boolean>('muted');
  const own = useSetting<Partial<AlertSettings> | null>('alertSettings');
  const group = useGroup();
  // A new check alerts everybody, unless somebody chose.
  const subscribed = useSubscribed('alertChannelSubscriptions', channels, checkId === undefined);
  const byGroup = group !== undefined && group.useGlobalAlertSettings !== null;
  const when = alertSentence(isGlobal ? account?.alertSettings : own);
  const whom = subscribed.map(({ name }) => name).join(', ');
  const sentence = whom === '' ? words.nobody : words.summary(when, whom);
  return (
    <Section
      title={words.title}
      summary={muted ? words.muted : byGroup ? words.byGroup(group.name) : sentence}
      paths={['alertSettings', 'useGlobalAlertSettings', 'alertChannelSubscriptions', 'muted']}
    >
      {byGroup && <p>{words.groupDecides(group.name)}</p>}
      <ChannelInputs
        path="alertChannelSubscriptions"
        channels={channels}
        isAllByDefault={checkId === undefined}
      />
      <SwitchInput
        path="useGlobalAlertSettings"
        fallback
        label={words.global}
        hint={account && words.globalHint(alertSentence(account.alertSettings))}
      />
      {!isGlobal && <AlertSettingsInputs path="alertSettings" />}
      <SwitchInput path="muted" label={words.mute} hint={words.muteHint} />
    </Section>
  );
}
