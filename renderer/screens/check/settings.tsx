import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { milliseconds } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { Tag } from '#renderer/parts/tag.tsx';
import { Time } from '#renderer/parts/time.tsx';
import styles from './check-screen.module.css';
import { groupQuery } from './queries.ts';
import { scheduleText } from './schedule-text.ts';

const words = text.check.settings;

/** What a check is set to, to read; it is changed in the editor. */
export function Settings({ check }: { check: ShownCheck }) {
  const group = useQuery({ ...groupQuery(check.groupId ?? 0), enabled: check.groupId !== null });
  const rows: [string, ReactNode][] = [
    [words.description, check.description],
    [words.target, targetOf(check)],
    [words.schedule, scheduleText(check)],
    [words.locations, placesOf(check)],
    [words.group, group.data?.name],
    [
      words.tags,
      check.tags.length > 0 ? check.tags.map((tag) => <Tag key={tag}>{tag}</Tag>) : null,
    ],
    [words.assertions, assertionsOf(check)],
    [words.limits, limitsOf(check)],
    [words.retries, retriesOf(check)],
    [words.alerting, alertingOf(check)],
    [
      words.channels,
      words.channelCount(
        check.alertChannelSubscriptions.filter(({ activated }) => activated).length,
      ),
    ],
    [words.identity, <code key="id">{check.id}</code>],
    [words.created, <Time key="time" at={check.created_at} />],
  ];
  return (
    <Panel
      title={words.label}
      note={
        <ButtonLink to="/checks/$checkId/edit" params={{ checkId: check.id }}>
          {words.edit}
        </ButtonLink>
      }
    >
      <dl className={styles.settings}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || <span className={styles.faint}>{words.none}</span>}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function targetOf(check: ShownCheck): ReactNode {
  switch (check.checkType) {
    case 'API':
    case 'URL':
      return <code>{`${check.request.method} ${check.request.url}`}</code>;
    case 'TCP':
      return <code>{`${check.request.hostname}:${check.request.port}`}</code>;
    case 'DNS':
      return <code>{`${check.request.recordType} ${check.request.query}`}</code>;
    case 'ICMP':
      return <code>{check.request.hostname}</code>;
    case 'HEARTBEAT':
      return check.heartbeat.pingUrl === undefined ? null : <code>{check.heartbeat.pingUrl}</code>;
    default:
      return null;
  }
}

function assertionsOf(check: ShownCheck): ReactNode {
  if (!('request' in check) || check.request.assertions.length === 0) return null;
  const { assertions } = check.request;
  return (
    <ul>
      {assertions.map(({ source, property, comparison, target }) => (
        <li key={`${source} ${property} ${comparison} ${target}`}>
          <code>{[source, property, comparison, target].filter(Boolean).join(' ')}</code>
        </li>
      ))}
    </ul>
  );
}

function placesOf(check: ShownCheck): string | null {
  const own = 'privateLocations' in check ? (check.privateLocations ?? []) : [];
  const places = [...(check.locations ?? []).map(locationName), ...own];
  if (places.length < 2) return places[0] ?? null;
  return `${places.join(', ')}, ${check.runParallel ? words.parallel : words.inTurn}`;
}

function limitsOf(check: ShownCheck): string {
  const limits =
    'degradedResponseTime' in check ? [check.degradedResponseTime, check.maxResponseTime] : [];
  const [degraded, most] = limits;
  return [
    degraded ? words.degradedAfter(milliseconds(degraded)) : null,
    most ? words.failedAfter(milliseconds(most)) : null,
    'shouldFail' in check && check.shouldFail ? words.shouldFail : null,
  ]
    .filter(Boolean)
    .join(', ');
}

function retriesOf(check: ShownCheck): string {
  const strategy = 'retryStrategy' in check ? check.retryStrategy : undefined;
  if (strategy) {
    const { type, maxRetries = 2, baseBackoffSeconds } = strategy;
    return words.retried(type.toLowerCase(), maxRetries, baseBackoffSeconds);
  }
  return 'doubleCheck' in check && check.doubleCheck && strategy === undefined
    ? words.once
    : words.noRetries;
}

function alertingOf({ useGlobalAlertSettings, alertSettings }: ShownCheck): string {
  if (useGlobalAlertSettings || alertSettings === null) return words.globalAlerts;
  const { escalationType, runBasedEscalation, timeBasedEscalation } = alertSettings;
  return escalationType === 'RUN_BASED'
    ? words.runsFailed(runBasedEscalation.failedRunThreshold)
    : words.minutesFailed(timeBasedEscalation.minutesFailingThreshold);
}
