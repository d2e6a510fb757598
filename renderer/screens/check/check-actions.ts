import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SEGMENTS, type ShownCheck } from '#renderer/api/answers.ts';
import { api } from '#renderer/api/client.ts';
import { text } from '#renderer/messages/messages.ts';
import { useMute } from '#renderer/parts/mute/mute-query.ts';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import { bodyOf, hasSecrets } from './exported-check.ts';

const words = text.check.actions;

/** What can be done with a check from its screen. Each says what was done, or what was refused. */
export function useCheckActions(check: ShownCheck) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const segment = SEGMENTS[check.checkType];
  const { id, name } = check;
  const change = useMutation({
    mutationFn: ({ body }: { body: Record<string, unknown>; said: string }) =>
      api('PUT /v1/checks/{segment}/{id}', { params: { segment, id }, body }),
    onSuccess: async (_check, { said }) => {
      toast(said);
      await queries.invalidateQueries({ queryKey: ['check', id] });
    },
    onError: toastFailure,
  });
  const run = useMutation({
    mutationFn: () =>
      api('POST /v2/check-sessions/trigger', { body: { target: { checkId: [id] } } }),
    onSuccess: ({ sessions: [session] }) =>
      navigate({
        to: '/checks/$checkId',
        params: { checkId: id },
        search: (before) => ({ ...before, session: session?.checkSessionId }),
        replace: true,
      }),
    onError: toastFailure,
  });
  const duplicate = useMutation({
    mutationFn: () =>
      api('POST /v1/checks/{segment}', {
        params: { segment },
        query: { autoAssignAlerts: false },
        body: {
          ...bodyOf(check),
          name: words.copyOf(name).slice(0, 500),
          activated: false,
          // A mute that ends by itself would have no end there.
          muted: false,
        },
      }),
    onSuccess: async (copy) => {
      toast(hasSecrets(check) ? words.duplicatedWithoutSecrets : words.duplicated);
      await navigate({ to: '/checks/$checkId', params: { checkId: copy.id } });
    },
    onError: toastFailure,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /v1/checks/{id}', { params: { id } }),
    onSuccess: async () => {
      toast(words.removed(name));
      await navigate({ to: '/' });
      queries.removeQueries({ queryKey: ['check', id] });
      await queries.invalidateQueries();
    },
    onError: toastFailure,
  });
  const { mute, unmute } = useMute({ kind: 'checks', id, name }, () =>
    queries.invalidateQueries({ queryKey: ['check', id] }),
  );
  const { activated } = check;
  return {
    run: () => run.mutate(),
    isStarting: run.isPending,
    mute,
    unmute,
    pause: () =>
      change.mutate({
        body: { activated: !activated },
        said: activated ? words.paused(name) : words.resumed(name),
      }),
    duplicate: () => duplicate.mutate(),
    remove: () => remove.mutate(),
    edit: () => void navigate({ to: '/checks/$checkId/edit', params: { checkId: id } }),
  };
}
