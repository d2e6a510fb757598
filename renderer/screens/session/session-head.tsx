import { useNavigate } from '@tanstack/react-router';
import { CircleStop, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { useCommands } from '#renderer/app/commands.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { span } from '#renderer/parts/format.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import { hasEnded } from '#shared/sessions/check-session.ts';
import type { BatchSummary, SessionSummary } from '#shared/summaries/session-summary.ts';
import { isShown } from './arrange-sessions.ts';
import styles from './session-screen.module.css';

const words = text.sessions.one;

/** How a batch stands, and what can be done with all of it. */
export function SessionHead({
  batch,
  sessions,
}: {
  batch: BatchSummary;
  sessions: readonly SessionSummary[];
}) {
  const navigate = useNavigate();
  const [isCancelling, setCancelling] = useState(false);
  const { open, count, runSource, createdAt } = batch;
  const failed = sessions.filter((session) => isShown(session, 'failed'));
  const cancel = async () => {
    setCancelling(true);
    await cancelAll(sessions.filter(({ status }) => !hasEnded(status)));
    setCancelling(false);
  };
  const again = async (those: readonly SessionSummary[]) => {
    try {
      const checkId = [...new Set(those.map((session) => session.checkId))];
      const made = await api('POST /v2/check-sessions/trigger', { body: { target: { checkId } } });
      const [first] = made.sessions;
      if (first === undefined) return;
      const params = { sessionId: first.checkSessionId };
      await navigate({ to: '/sessions/$sessionId', params });
    } catch (error) {
      toastFailure(error);
    }
  };
  const actions =
    open > 0
      ? [{ label: words.cancel, icon: CircleStop, run: () => void cancel() }]
      : [
          ...(failed.length > 0 && failed.length < count
            ? [{ label: words.againFailed, icon: RotateCw, run: () => void again(failed) }]
            : []),
          { label: words.again, icon: RotateCw, run: () => void again(sessions) },
        ];
  useCommands(actions);
  const stoppedAt = Math.max(...sessions.map((session) => session.stoppedAt ?? 0));
  return (
    <>
      <PageHead
        title={headlineOf(batch)}
        below={
          <>
            {text.sessions.sources[runSource]}, <Time at={createdAt} />
            {open === 0 && `, ${words.took(span(stoppedAt - createdAt))}`}
          </>
        }
        actions={actions.map(({ label, icon: Icon, run }) => (
          <Button key={label} onClick={run} disabled={isCancelling}>
            <Icon size={16} strokeWidth={1.5} aria-hidden />
            {label}
          </Button>
        ))}
      />
      {open > 0 && (
        <progress
          className={styles.progress}
          aria-label={words.progress}
          max={count}
          value={count - open}
        />
      )}
    </>
  );
}

function headlineOf({ open, failed, degraded, passed, count }: BatchSummary): string {
  if (open > 0) return words.running(open, count);
  if (failed > 0) return words.failed(failed, count);
  if (degraded > 0) return words.degraded(degraded, count);
  return passed === count ? words.passed(count) : words.cancelled(count);
}

/** Requests under way at once: others use the appliance too. */
const AT_ONCE = 6;

async function cancelAll(sessions: readonly SessionSummary[]): Promise<void> {
  const waiting = [...sessions];
  const work = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const params = { checkSessionId: one.id };
      await api('POST /v1/check-sessions/{checkSessionId}/cancel', { params });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    toast(words.cancelledRuns(sessions.length));
  } catch (error) {
    waiting.length = 0;
    toastFailure(error);
  }
}
