import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { useTitle } from '#renderer/app/title.ts';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import {
  blankChannel,
  SERVICES,
  type Service,
  serviceOf,
} from '#renderer/parts/channel-form/services.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { toast } from '#renderer/parts/toast.tsx';
import { CHANNEL_FLAG_DEFAULTS } from '#shared/notifications/channel.ts';
import { ChannelForm } from './channel-form.tsx';
import styles from './channels.module.css';

const words = channelsPageText;
const route = getRouteApi('/shell/settings/channels/new');

/** First where to, then what that needs. */
export function NewChannelScreen() {
  const service = serviceOf(route.useSearch().service);
  useTitle(words.add);
  return service === undefined ? <Services /> : <NewChannel key={service.key} service={service} />;
}

function Services() {
  return (
    <>
      <PageHead above={<Link to="/settings/channels">{words.title}</Link>} title={words.choose} />
      <ul className={styles.services}>
        {SERVICES.map(({ key, name }) => (
          <li key={key}>
            <Link
              className={styles.serviceLink}
              to="/settings/channels/new"
              search={{ service: key }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function NewChannel({ service }: { service: Service }) {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const [subscribesAll, setSubscribesAll] = useState(true);
  const create = async (body: Record<string, unknown>) => {
    const { id } = await api('POST /v1/alert-channels', { body });
    if (subscribesAll) {
      await api('POST /app/alert-channels/{id}/subscribe-all', { params: { id }, body: {} });
    }
    await queries.invalidateQueries({ queryKey: ['alert-channels'] });
    toast(words.created);
    await navigate({ to: '/settings/channels/$channelId', params: { channelId: String(id) } });
  };
  const base = { ...blankChannel(service), ...CHANNEL_FLAG_DEFAULTS, autoSubscribe: true };
  return (
    <>
      <PageHead
        above={<Link to="/settings/channels">{words.title}</Link>}
        title={words.newTitle(service.name)}
        below={
          <Link to="/settings/channels/new" search={{}}>
            {words.otherService}
          </Link>
        }
      />
      <ChannelForm
        name={`channel:new:${service.key}`}
        service={service}
        base={base}
        action={words.create}
        onSend={create}
      >
        <SwitchField
          label={words.flags.subscribeAll}
          isOn={subscribesAll}
          onChange={setSubscribesAll}
        />
      </ChannelForm>
    </>
  );
}
