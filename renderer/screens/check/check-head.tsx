import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy, Ellipsis, FileJson, Pause, Play, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { useCommands } from '#renderer/app/commands.ts';
import { useKeys } from '#renderer/app/keys.ts';
import { text } from '#renderer/messages/messages.ts';
import { muteText } from '#renderer/messages/mute.ts';
import { Button } from '#renderer/parts/button.tsx';
import { useOfNow } from '#renderer/parts/clock.ts';
import { Confirm } from '#renderer/parts/confirm.tsx';
import { Menu, MenuItem, MenuLine } from '#renderer/parts/menu.tsx';
import { MuteButton } from '#renderer/parts/mute/mute-button.tsx';
import { endOf, MUTE_ENDS } from '#renderer/parts/mute/mute-ends.ts';
import { MutedNote } from '#renderer/parts/mute/muted-note.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import standing from '#renderer/parts/standing.module.css';
import { StateBadge } from '#renderer/parts/state-badge.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Tag } from '#renderer/parts/tag.tsx';
import { reasonOf } from '#shared/results/reason.ts';
import { checkState } from '#shared/summaries/check-state.ts';
import { useCheckActions } from './check-actions.ts';
import styles from './check-screen.module.css';
import { headSentence } from './head-sentence.ts';
import {
  comparedQuery,
  failingSinceQuery,
  groupQuery,
  lastRunsQuery,
  statusQuery,
} from './queries.ts';
import { scheduleText } from './schedule-text.ts';

const words = text.check.actions;
const ExportDialog = lazy(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}));
const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** What a check is, how it stands, and what can be done with it. */
export function CheckHead({ check }: { check: ShownCheck }) {
  return (
    <PageHead
      above={<Place check={check} />}
      title={check.name}
      below={<Standing check={check} />}
      actions={<Actions check={check} />}
    />
  );
}

function Place({ check }: { check: ShownCheck }) {
  // The summary knows it before anybody asks for the group.
  const summary = useSummary();
  const groups = summary.kind === 'ready' ? summary.known.groups : undefined;
  const group = groups?.get(check.groupId ?? 0);
  const parts = [group?.name, text.check.types[check.checkType], scheduleText(check)];
  return (
    <>
      <Link to="/">{text.checks.title}</Link>
      {' / '}
      {parts.filter(Boolean).join(' · ')}{' '}
      {check.tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </>
  );
}

function Standing({ check }: { check: ShownCheck }) {
  const isHeartbeat = check.checkType === 'HEARTBEAT';
  const { data: status } = useQuery(statusQuery(check.id));
  const { data: runs = [] } = useQuery(lastRunsQuery(check.id));
  const group = useQuery({ ...groupQuery(check.groupId ?? 0), enabled: check.groupId !== null });
  const state = checkState(check, group.data, status ?? undefined);
  const isFailing = state === 'failing';
  const since = useQuery({
    ...failingSinceQuery(check.id),
    enabled: isFailing && !isHeartbeat,
  });
  const [last] = runs;
  const compared = useQuery({
    ...comparedQuery(check.id, last),
    enabled: last !== undefined && (last.hasFailures || last.hasErrors),
  });
  const reason =
    compared.data === undefined ? last?.failure?.message : reasonOf(compared.data.result);
  const heartbeatSince = status?.updated_at ? Date.parse(status.updated_at) : null;
  const facts = {
    state,
    failingSince: isHeartbeat ? heartbeatSince : (since.data ?? null),
    reason: last?.hasFailures || last?.hasErrors ? reason : undefined,
    failed: runs.map(({ hasFailures }) => hasFailures),
    isHeartbeat,
  };
  const said = useOfNow((now) => JSON.stringify(headSentence(facts, now)));
  const { badge, sentence } = JSON.parse(said) as ReturnType<typeof headSentence>;
  if (status === undefined) return <span className={standing.standing} />;
  return (
    <div className={standing.standing}>
      <StateBadge state={state}>{badge}</StateBadge>
      <span className={styles.sentence}>{sentence}</span>
      {(check.muted || group.data?.muted) && (
        <span className={styles.muted}>
          <StateIcon state="muted" isNamed={false} />
          {check.muted ? (
            <MutedNote of={{ kind: 'checks', id: check.id }} told={muteText.nobodyTold} />
          ) : (
            muteText.byGroup(group.data?.name ?? '')
          )}
        </span>
      )}
    </div>
  );
}

function Actions({ check }: { check: ShownCheck }) {
  const actions = useCheckActions(check);
  const [open, setOpen] = useState<'export' | 'remove' | null>(null);
  const { muted, activated, name } = check;
  const isHeartbeat = check.checkType === 'HEARTBEAT';
  const muteButton = useRef<HTMLButtonElement>(null);
  const pauseLabel = activated ? words.pause : words.resume;
  const canRun = !isHeartbeat && activated;
  useKeys([
    ...(canRun ? [{ key: 'r', label: words.runNow, run: actions.run }] : []),
    muted
      ? { key: 'm', label: muteText.unmute, run: actions.unmute }
      : { key: 'm', label: muteText.mute, run: () => muteButton.current?.click() },
    { key: 'e', label: words.edit, run: actions.edit },
  ]);
  useCommands([
    ...(canRun ? [{ label: `${words.runNow}: ${name}`, run: actions.run }] : []),
    ...(muted
      ? [{ label: `${muteText.unmute}: ${name}`, run: actions.unmute }]
      : MUTE_ENDS.map((end) => ({
          label: `${muteText.mute}: ${name} (${muteText.ends[end]})`,
          run: () => actions.mute(endOf(end, Date.now())),
        }))),
    { label: `${pauseLabel}: ${name}`, run: actions.pause },
    { label: `${words.edit}: ${name}`, run: actions.edit },
  ]);
  return (
    <>
      <MuteButton
        isMuted={muted}
        onMute={actions.mute}
        onUnmute={actions.unmute}
        ref={muteButton}
      />
      <Button onClick={actions.edit}>{words.edit}</Button>
      <Menu
        align="end"
        trigger={
          <Button isIcon aria-label={words.more}>
            <Ellipsis {...ICON} />
          </Button>
        }
      >
        <MenuItem
          icon={activated ? <Pause {...ICON} /> : <Play {...ICON} />}
          onSelect={actions.pause}
        >
          {pauseLabel}
        </MenuItem>
        <MenuItem icon={<Copy {...ICON} />} onSelect={actions.duplicate}>
          {words.duplicate}
        </MenuItem>
        <MenuItem icon={<FileJson {...ICON} />} onSelect={() => setOpen('export')}>
          {words.export}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Trash2 {...ICON} />} isDanger onSelect={() => setOpen('remove')}>
          {words.remove}
        </MenuItem>
      </Menu>
      {!isHeartbeat && (
        <Button kind="primary" onClick={actions.run} disabled={!canRun || actions.isStarting}>
          {words.runNow}
        </Button>
      )}
      {open === 'export' && (
        <Suspense>
          <ExportDialog check={check} isOpen onClose={() => setOpen(null)} />
        </Suspense>
      )}
      <Confirm
        isOpen={open === 'remove'}
        onClose={() => setOpen(null)}
        onConfirm={actions.remove}
        title={words.removeQuestion(name)}
        text={words.removeText}
        action={words.removeAction}
        typed={name}
      />
    </>
  );
}
