import { createStore, type Store, useStore } from '#renderer/api/store.ts';
import { toastFailure, toastWithUndo } from './toast.tsx';

/** Records that are to be deleted, while that can still be taken back, each by its kind and id. */
const goingStore: Store<ReadonlySet<string>> = createStore(new Set());

/** Tells of each record of a kind whether it is about to be deleted: lists leave it out. */
export function useGoing(kind: string): (id: string | number) => boolean {
  const going = useStore(goingStore);
  return (id) => going.has(`${kind} ${id}`);
}

/**
 * Hides a record at once, and deletes it once nobody took that back. Where the appliance refuses, it is there again.
 *
 * @param said what the toast says
 */
export function deleteSoon(
  kind: string,
  id: string | number,
  said: string,
  act: () => Promise<unknown>,
): void {
  const name = `${kind} ${id}`;
  const show = () => goingStore.set(new Set([...goingStore.get()].filter((one) => one !== name)));
  goingStore.set(new Set([...goingStore.get(), name]));
  toastWithUndo(said, () => void act().catch(toastFailure).finally(show), show);
}
