import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { groupText } from '#renderer/messages/editor.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Confirm } from '#renderer/parts/confirm.tsx';
import { MuteButton } from '#renderer/parts/mute/mute-button.tsx';
import { useMute } from '#renderer/parts/mute/mute-query.ts';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import type { ShownGroup } from './queries.ts';

const words = groupText;

/** What can be done with a group and all of its checks at once. */
export function GroupActions({ group, count }: { group: ShownGroup; count: number }) {
  const { id, name, muted, activated } = group;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const { mute, unmute } = useMute({ kind: 'check-groups', id, name }, () =>
    queries.invalidateQueries({ queryKey: ['group', id] }),
  );
  const change = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      api('PUT /v2/check-groups/{id}', { params: { id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['group', id] }),
    onError: toastFailure,
  });
  const run = useMutation({
    mutationFn: () =>
      api('POST /v2/check-sessions/trigger', { body: { target: { groupId: [id] } } }),
    onSuccess: ({ sessions }) => toast(words.running(sessions.length)),
    onError: toastFailure,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /v1/check-groups/{id}', { params: { id } }),
    onSuccess: async () => {
      toast(words.removed(name));
      await navigate({ to: '/' });
      queries.removeQueries({ queryKey: ['group', id] });
    },
    onError: toastFailure,
  });
  return (
    <>
      <MuteButton isMuted={muted} onMute={mute} onUnmute={unmute} />
      <Button onClick={() => change.mutate({ activated: !activated })}>
        {activated ? words.pause : words.resume}
      </Button>
      <Button onClick={() => setAsked(true)}>{words.remove}</Button>
      <Button
        kind="primary"
        disabled={count === 0 || !activated || run.isPending}
        onClick={() => run.mutate()}
      >
        {words.run}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate()}
        title={words.removeQuestion(name)}
        text={words.removeText}
        action={words.remove}
        typed={name}
      />
    </>
  );
}
