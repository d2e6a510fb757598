import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { CopyButton } from '#renderer/parts/copy-button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { count, percent } from '#renderer/parts/format.ts';
import {
  heartbeatSnippet,
  SNIPPET_KINDS,
  type SnippetKind,
} from '#renderer/parts/heartbeat-snippets.ts';
import { join } from '#renderer/parts/join.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { Snippet } from '#renderer/parts/snippet.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Ago, Time } from '#renderer/parts/time.tsx';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import type { HeartbeatStats } from '#shared/results/heartbeat-event.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import styles from './check-screen.module.css';
import numbers from './numbers.module.css';
import { eventsQuery } from './queries.ts';

const words = text.check.heartbeat;

/** Pings of a job, those that were missed, and how to send them. */
export function HeartbeatOverview({ check }: { check: ShownCheck }) {
  const pingUrl = check.checkType === 'HEARTBEAT' ? check.heartbeat.pingUrl : undefined;
  const query = useInfiniteQuery(eventsQuery(check.id));
  const { data, error } = query;
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <div className={styles.overview}>
      {data?.pages[0] !== undefined && <Stats stats={data.pages[0].stats} />}
      <Panel title={words.events}>
        {data === undefined && error !== null && (
          <Failed error={error} onRetry={() => void query.refetch()} />
        )}
        {data === undefined && error === null && <SkeletonRows count={6} />}
        {data !== undefined && events.length === 0 && (
          <EmptyState title={words.emptyTitle} text={words.emptyText} />
        )}
        <ol>
          {events.map(({ id, state, timestamp, source, userAgent }) => (
            <li key={id} className={styles.event}>
              <StateIcon state={ICONS[state]} isNamed={false} />
              <b>{words.states[state]}</b>
              <span className={styles.cut}>
                {[source && words.from(source), userAgent].filter(Boolean).join(' · ')}
              </span>
              <span className={styles.eventTime}>
                <Time at={timestamp} /> · <Ago at={timestamp} />
              </span>
            </li>
          ))}
        </ol>
        {query.hasNextPage && (
          <Button onClick={() => void query.fetchNextPage()}>{words.more}</Button>
        )}
      </Panel>
      {pingUrl !== undefined && <Snippets url={pingUrl} />}
    </div>
  );
}

const ICONS: Readonly<Record<HeartbeatState, CheckState>> = {
  FAILING: 'failing',
  EARLY: 'degraded',
  RECEIVED: 'passing',
  GRACE: 'passing',
  LATE: 'degraded',
};

function Stats({ stats }: { stats: HeartbeatStats }) {
  return (
    <dl className={join(numbers.numbers, numbers.two)}>
      {(['last24Hours', 'last7Days'] as const).map((name) => {
        const one = stats[name];
        const total = one?.totalEntitiesCurrentPeriod ?? 0;
        return (
          <div key={name} className={numbers.number}>
            <dt>{text.check.numbers[name]}</dt>
            <dd>
              <span className={numbers.value}>
                {one && total > 0 ? percent(one.successRatio.currentPeriod) : text.parts.none}
              </span>
              <span className={numbers.note}>{text.check.numbers.of(count(total))}</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Snippets({ url }: { url: string }) {
  const [kind, setKind] = useState<SnippetKind>('curl');
  const snippet = heartbeatSnippet(kind, url);
  return (
    <Panel title={words.snippets} note={words.snippetsText}>
      <div className={styles.kinds}>
        {SNIPPET_KINDS.map((one) => (
          <Button
            key={one}
            kind={one === kind ? 'plain' : 'quiet'}
            aria-pressed={one === kind}
            onClick={() => setKind(one)}
          >
            {words.kinds[one]}
          </Button>
        ))}
      </div>
      <Snippet>{snippet}</Snippet>
      <CopyButton value={snippet} />
    </Panel>
  );
}
