import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '#renderer/api/client.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import { NotFound } from '#renderer/app/not-found.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { TestOutcome, useChannelTest } from '#renderer/parts/channel-form/channel-test.tsx';
import { serviceOf } from '#renderer/parts/channel-form/services.ts';
import { channelName, serviceName } from '#renderer/parts/channel-name.ts';
import { Failed } from '#renderer/parts/failed.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Tab, Tabs } from '#renderer/parts/tabs.tsx';
import { toast } from '#renderer/parts/toast.tsx';
import type { ShownChannel } from '#shared/notifications/view.ts';
import { ChannelForm } from './channel-form.tsx';
import { CHANNEL_PARTS } from './channel-search.ts';
import { hostOf, withoutSecrets, withSecrets } from './channel-secrets.ts';
import styles from './channels.module.css';
import { deleteChannel } from './deletion.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { channelQuery } from './queries.ts';
import { Subscriptions } from './subscriptions.tsx';

const words = channelsPageText;
const route = getRouteApi('/shell/settings/channels/$channelId');
const HEIGHT = 360;

/** One channel: what it is, who alerts it, and what it was sent. */
export function ChannelScreen() {
  const id = Number(route.useParams().channelId);
  const { data, error, refetch } = useQuery(channelQuery(id));
  useTitle(data === undefined ? undefined : (channelName(data) ?? serviceName(data)));
  if (data !== undefined) return <Loaded key={id} channel={data} />;
  if (error instanceof ApiProblem && [400, 404].includes(error.status)) return <NotFound />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return <SkeletonBlock height={HEIGHT} />;
}

function Loaded({ channel }: { channel: ShownChannel }) {
  const { part = 'settings' } = route.useSearch();
  const { id, warnings } = channel;
  return (
    <>
      <Head channel={channel} />
      {warnings.length > 0 && (
        <ul aria-label={words.warnings}>
          {warnings.map((warning) => (
            <li key={warning} className={styles.warning}>
              <StateIcon state="degraded" isNamed={false} size={14} />
              {warning}
            </li>
          ))}
        </ul>
      )}
      <Tabs label={words.tabsLabel}>
        {CHANNEL_PARTS.map((one) => (
          <Tab
            key={one}
            to="/settings/channels/$channelId"
            params={{ channelId: String(id) }}
            search={{ part: one === 'settings' ? undefined : one }}
            activeOptions={{ explicitUndefined: true }}
          >
            {words.tabs[one]}
          </Tab>
        ))}
      </Tabs>
      <div className={styles.part}>
        {part === 'settings' && <Settings channel={channel} />}
        {part === 'subscriptions' && <Subscriptions channel={channel} />}
        {part === 'log' && <DeliveryLog channelId={id} />}
      </div>
    </>
  );
}

function Head({ channel }: { channel: ShownChannel }) {
  const navigate = route.useNavigate();
  const { id } = channel;
  const test = useChannelTest(id);
  const service = serviceName(channel);
  const name = channelName(channel) ?? service;
  const remove = () => {
    deleteChannel(id, name);
    void navigate({ to: '/settings/channels' });
  };
  return (
    <>
      <PageHead
        above={<Link to="/settings/channels">{words.title}</Link>}
        title={name}
        below={name === service ? undefined : service}
        actions={
          <>
            <Button disabled={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? words.testing : words.test}
            </Button>
            <Button onClick={remove}>{words.delete}</Button>
          </>
        }
      />
      <output className={styles.outcome}>
        <TestOutcome data={test.data} error={test.error} />
      </output>
    </>
  );
}

function Settings({ channel }: { channel: ShownChannel }) {
  const queries = useQueryClient();
  const { id, type, config } = channel;
  const webhookType = typeof config.webhookType === 'string' ? config.webhookType : undefined;
  const service = serviceOf(webhookType ?? type);
  if (service === undefined) return null;
  const save = async (body: Record<string, unknown>) => {
    const sent = { ...body, config: withSecrets(body.config as Record<string, unknown>, channel) };
    const saved = await api('PUT /v1/alert-channels/{id}', { params: { id }, body: sent });
    queries.setQueryData(['alert-channels', id], saved);
    await queries.invalidateQueries({ queryKey: ['alert-channels'] });
    toast(words.saved);
  };
  return (
    <ChannelForm
      key={channel.updated_at}
      name={`channel:${id}`}
      service={service}
      base={baseOf(channel)}
      isKept
      host={hostOf(channel)}
      action={words.save}
      onSend={save}
    />
  );
}

function baseOf(channel: ShownChannel) {
  const { type, sendFailure, sendRecovery, sendDegraded, sslExpiry } = channel;
  const { sslExpiryThreshold, autoSubscribe } = channel;
  const flags = { sendFailure, sendRecovery, sendDegraded, sslExpiry };
  return { type, config: withoutSecrets(channel), ...flags, sslExpiryThreshold, autoSubscribe };
}
