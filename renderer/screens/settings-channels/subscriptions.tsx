import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { TextField } from '#renderer/parts/field.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import type { ShownChannel } from '#shared/notifications/view.ts';
import type { KnownChecks } from '#shared/summaries/apply-events.ts';
import styles from './channels.module.css';

const words = channelsPageText.subscriptions;
/** A list of thousands is searched, not read. */
const MAX_SHOWN = 100;

interface Subscriber {
  key: string;
  name: string;
  body: { checkId: string } | { groupId: number };
  isOn: boolean;
}

/** Which checks and groups alert a channel: each with a switch, those that do first. */
export function Subscriptions({ channel }: { channel: ShownChannel }) {
  const { id, subscribedChecks } = channel;
  const [query, setQuery] = useState('');
  const summary = useSummary();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: ['alert-channels'] });
  const subscribe = useMutation({
    mutationFn: ({ body, isOn }: Subscriber) =>
      api('PUT /v1/alert-channels/{id}/subscriptions', {
        params: { id },
        body: { ...body, activated: !isOn },
      }),
    onSuccess: readAnew,
    onError: toastFailure,
  });
  const subscribeAll = useMutation({
    mutationFn: () =>
      api('POST /app/alert-channels/{id}/subscribe-all', { params: { id }, body: {} }),
    onSuccess: async (changed) => {
      toast(words.allDone(changed.subscribedChecks));
      await readAnew();
    },
    onError: toastFailure,
  });
  if (summary.kind !== 'ready') return <SkeletonRows count={6} />;
  const all = subscribersOf(channel, summary.known);
  const found = all.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()));
  return (
    <div className={styles.subscriptions}>
      <div className={styles.bar}>
        <p>{words.count(subscribedChecks)}</p>
        <Button disabled={subscribeAll.isPending} onClick={() => subscribeAll.mutate()}>
          {words.all}
        </Button>
      </div>
      <p className={styles.note}>{words.text}</p>
      <TextField
        label={words.search}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ul className={styles.subscribers}>
        {found.slice(0, MAX_SHOWN).map((one) => (
          <li key={one.key}>
            <SwitchField
              label={<NameOf subscriber={one} />}
              isOn={one.isOn}
              onChange={() => subscribe.mutate(one)}
            />
          </li>
        ))}
      </ul>
      {all.length === 0 && <p className={styles.note}>{words.none}</p>}
      {all.length > 0 && found.length === 0 && <p className={styles.note}>{words.nothing}</p>}
      {found.length > MAX_SHOWN && (
        <p className={styles.note}>{words.more(found.length - MAX_SHOWN)}</p>
      )}
    </div>
  );
}

function NameOf({ subscriber: { name, body } }: { subscriber: Subscriber }) {
  if ('groupId' in body) {
    return (
      <>
        {name} <span className={styles.service}>{words.group}</span>
      </>
    );
  }
  return (
    <Link className={styles.plain} to="/checks/$checkId" params={{ checkId: body.checkId }}>
      {name}
    </Link>
  );
}

function subscribersOf(channel: ShownChannel, { checks, groups }: KnownChecks): Subscriber[] {
  const active = channel.subscriptions.filter(({ activated }) => activated);
  const checkIds = new Set(active.map(({ checkId }) => checkId));
  const groupIds = new Set(active.map(({ groupId }) => groupId));
  const all = [
    ...[...groups.values()].map(({ id, name }) => ({
      key: `group ${id}`,
      name,
      body: { groupId: id },
      isOn: groupIds.has(id),
    })),
    ...[...checks.values()].map(({ id, name }) => ({
      key: id,
      name,
      body: { checkId: id },
      isOn: checkIds.has(id),
    })),
  ];
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}
