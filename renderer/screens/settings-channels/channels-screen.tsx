import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useStore } from '#renderer/api/store.ts';
import { useTitle } from '#renderer/app/title.ts';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import { Button, ButtonLink } from '#renderer/parts/button.tsx';
import { TestOutcome, useChannelTest } from '#renderer/parts/channel-form/channel-test.tsx';
import { channelName, serviceName } from '#renderer/parts/channel-name.ts';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import type { ShownChannel } from '#shared/notifications/view.ts';

import styles from './channels.module.css';
import { hiddenStore } from './deletion.ts';
import { channelsQuery } from './queries.ts';
import { wantsOf } from './wants.ts';

const words = channelsPageText;

/** Where alerts go: every channel, what it is told of, and how many checks alert it. */
export function ChannelsScreen() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery(channelsQuery);
  const hidden = useStore(hiddenStore);
  const add = (
    <ButtonLink kind="primary" to="/settings/channels/new">
      {words.add}
    </ButtonLink>
  );
  const channels = data?.filter(({ id }) => !hidden.has(id));
  return (
    <>
      <PageHead title={words.title} below={words.text} actions={add} />
      {channels === undefined && error === null && <SkeletonRows count={4} />}
      {channels === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {channels?.length === 0 && (
        <EmptyState title={words.emptyTitle} text={words.emptyText} action={add} />
      )}
      {channels !== undefined && channels.length > 0 && (
        <Table label={words.title} heads={HEADS}>
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </Table>
      )}
    </>
  );
}

const { columns } = words;
const HEADS = [
  { label: columns.channel },
  { label: columns.wants, isMinor: true },
  { label: columns.checks, isMinor: true, isNumber: true },
  { label: columns.actions },
];

function ChannelRow({ channel }: { channel: ShownChannel }) {
  const { id, subscribedChecks, warnings } = channel;
  const test = useChannelTest(id);
  const service = serviceName(channel);
  const name = channelName(channel) ?? service;
  return (
    <tr>
      <Cell>
        <Link
          className={styles.name}
          to="/settings/channels/$channelId"
          params={{ channelId: String(id) }}
        >
          {name}
        </Link>
        {name !== service && <span className={styles.service}>{service}</span>}
        {warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            <StateIcon state="degraded" isNamed={false} size={14} />
            {warning}
          </p>
        ))}
        <output className={styles.outcome}>
          <TestOutcome data={test.data} error={test.error} />
        </output>
      </Cell>
      <Cell isMinor>{wantsOf(channel)}</Cell>
      <Cell isMinor isNumber>
        {subscribedChecks}
      </Cell>
      <Cell>
        <Button
          aria-label={words.testOf(name)}
          disabled={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.isPending ? words.testing : words.test}
        </Button>
      </Cell>
    </tr>
  );
}
