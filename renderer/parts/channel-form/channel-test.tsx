import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#renderer/api/client.ts';
import { channelText } from '#renderer/messages/alerting.ts';
import { StateBadge } from '#renderer/parts/state-badge.tsx';
import type { TestedChannel } from '#shared/notifications/view.ts';

const { outcomes } = channelText;

/** Sends tests over a channel. @param isSentAtOnce whether one is sent without being asked for */
export function useChannelTest(id: number, isSentAtOnce = false) {
  const test = useMutation({
    mutationFn: () => api('POST /app/alert-channels/{id}/test', { params: { id }, body: {} }),
  });
  const { mutate, isIdle } = test;
  useEffect(() => {
    if (isSentAtOnce && isIdle) mutate();
  }, [isSentAtOnce, isIdle, mutate]);
  return test;
}

/** What came of a test: whether it arrived, and what the receiver said. */
export function TestOutcome({
  data,
  error,
}: {
  data: TestedChannel | undefined;
  error: Error | null;
}) {
  if (error !== null) return <StateBadge state="failing">{error.message}</StateBadge>;
  if (data === undefined) return null;
  return (
    <StateBadge state={data.outcome === 'SUCCESS' ? 'passing' : 'failing'}>
      {outcomes[data.outcome]} · {data.detail}
    </StateBadge>
  );
}
