import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { muteText } from '#renderer/messages/mute.ts';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import { mutedText } from './mute-ends.ts';

/** What can be muted. */
export interface Mutable {
  kind: 'checks' | 'check-groups';
  id: string | number;
  name: string;
}

/** Until when something that is muted is so, epoch ms; null: until somebody unmutes it. */
export const muteQuery = ({ kind, id }: Omit<Mutable, 'name'>) =>
  queryOptions({
    queryKey: ['mutes', kind, id],
    queryFn: async ({ signal }) => {
      const { until } = await api('GET /app/{kind}/{id}/mute', { params: { kind, id }, signal });
      return until === null ? null : Date.parse(until);
    },
  });

/** Mutes something and unmutes it; says what was done, or what was refused. @param onDone what shows it is read anew */
export function useMute(target: Mutable, onDone: () => Promise<unknown>) {
  const { kind, id, name } = target;
  const queries = useQueryClient();
  const mute = useMutation({
    mutationFn: (until: number | null) =>
      api('PUT /app/{kind}/{id}/mute', {
        params: { kind, id },
        body: { until: until === null ? null : new Date(until).toISOString() },
      }),
    onSuccess: async (_answer, until) => {
      queries.setQueryData(muteQuery(target).queryKey, until);
      toast(mutedText(name, until));
      await onDone();
    },
    onError: toastFailure,
  });
  const unmute = useMutation({
    mutationFn: () =>
      kind === 'checks'
        ? api('PUT /v1/checks/{id}', { params: { id: String(id) }, body: { muted: false } })
        : api('PUT /v2/check-groups/{id}', { params: { id: Number(id) }, body: { muted: false } }),
    onSuccess: async () => {
      toast(muteText.isUnmuted(name));
      await onDone();
    },
    onError: toastFailure,
  });
  return { mute: (until: number | null) => mute.mutate(until), unmute: () => unmute.mutate() };
}
