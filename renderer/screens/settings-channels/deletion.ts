import { api } from '#renderer/api/client.ts';
import { queryClient } from '#renderer/api/queries.ts';
import { createStore, type Store } from '#renderer/api/store.ts';
import { channelsPageText } from '#renderer/messages/alerting.ts';
import { toastFailure, toastWithUndo } from '#renderer/parts/toast.tsx';

/** Channels that are to be deleted, while that can still be taken back. */
export const hiddenStore: Store<ReadonlySet<number>> = createStore(new Set());

/** Hides a channel at once, and deletes it once nobody took it back. */
export function deleteChannel(id: number, name: string): void {
  const show = () => hiddenStore.set(new Set([...hiddenStore.get()].filter((one) => one !== id)));
  hiddenStore.set(new Set([...hiddenStore.get(), id]));
  const act = () =>
    void api('DELETE /v1/alert-channels/{id}', { params: { id } })
      .catch(toastFailure)
      .then(() => queryClient.invalidateQueries({ queryKey: ['alert-channels'] }))
      .finally(show);
  toastWithUndo(channelsPageText.deleted(name), act, show);
}
