import { api } from '#renderer/api/client.ts';
import { createStore, type Store } from '#renderer/api/store.ts';
import { text } from '#renderer/messages/messages.ts';
import { toast, toastFailure, toastProgress, toastWithUndo } from '#renderer/parts/toast.tsx';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';

const { bulk } = text.checks;

/** Checks that are to be deleted, while that can still be taken back. */
export const hiddenStore: Store<ReadonlySet<string>> = createStore(new Set());

/** Requests under way at once: others use the appliance too. */
const AT_ONCE = 4;
/** Fewer are done before anybody could read of it. */
const SHOWN_FROM = 20;

/** @param show opens the session of one of them */
export async function runChecks(
  ids: readonly string[],
  show: (sessionId: string) => void,
): Promise<void> {
  try {
    const body = { target: { checkId: [...ids] } };
    const { sessions } = await api('POST /v2/check-sessions/trigger', { body });
    const [first] = sessions;
    toast(
      bulk.running(sessions.length),
      first && { label: bulk.watch, run: () => show(first.checkSessionId) },
    );
  } catch (error) {
    toastFailure(error);
  }
}

/** Mutes all of them until a time, ISO 8601; the toast unmutes them again. */
export function muteUntil(checks: readonly CheckSummary[], until: string): Promise<void> {
  const ids = checks.map(({ id }) => id);
  const mute = (id: string) =>
    api('PUT /app/{kind}/{id}/mute', { params: { kind: 'checks', id }, body: { until } });
  return actOnAll(ids, mute, (id) => changeCheck(id, { muted: false }), bulk.muted);
}

/** Mutes or unmutes those that are not yet; the toast takes it back. */
export function setMuted(checks: readonly CheckSummary[], muted: boolean): Promise<void> {
  const others = checks.filter((check) => check.muted !== muted).map(({ id }) => id);
  const said = muted ? bulk.muted : bulk.unmuted;
  return changeAll(others, { muted }, { muted: !muted }, said);
}

export function setActivated(checks: readonly CheckSummary[], activated: boolean): Promise<void> {
  const others = checks
    .filter(({ state }) => (state !== 'paused') !== activated)
    .map(({ id }) => id);
  const said = activated ? bulk.resumed : bulk.pausedAll;
  return changeAll(others, { activated }, { activated: !activated }, said);
}

function changeAll(
  ids: readonly string[],
  change: object,
  back: object,
  said: (count: number) => string,
): Promise<void> {
  const put = (body: object) => (id: string) => changeCheck(id, body);
  return actOnAll(ids, put(change), put(back), said);
}

async function actOnAll(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  takeBack: (id: string) => Promise<unknown>,
  said: (count: number) => string,
): Promise<void> {
  const done = await forEach(ids, act);
  if (done.length === 0) return;
  toastWithUndo(
    said(done.length),
    () => {},
    () => void forEach(done, takeBack),
  );
}

function changeCheck(id: string, body: object): Promise<unknown> {
  return api('PUT /v1/checks/{id}', { params: { id }, body: { ...body } });
}

export async function addTag(ids: readonly string[], tag: string): Promise<void> {
  const done = await forEach(ids, async (id) => {
    // Those of its group are not its own.
    const { tags } = await api('GET /v3/checks/{id}', { params: { id } });
    if (!tags.includes(tag)) await changeCheck(id, { tags: [...tags, tag] });
  });
  if (done.length > 0) toast(bulk.tagged(done.length, tag));
}

/** Hides them at once, and deletes them once nobody took it back. */
export function deleteChecks(ids: readonly string[]): void {
  const those = new Set(ids);
  const show = () =>
    hiddenStore.set(new Set([...hiddenStore.get()].filter((id) => !those.has(id))));
  hiddenStore.set(new Set([...hiddenStore.get(), ...ids]));
  const act = () =>
    void forEach(ids, (id) => api('DELETE /v1/checks/{id}', { params: { id } })).finally(show);
  toastWithUndo(bulk.deleted(ids.length), act, show);
}

/** Does one after the other, a few at once; answers the ids of those that went well. */
async function forEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<string[]> {
  const waiting = [...ids];
  const done: string[] = [];
  const failures: unknown[] = [];
  const stop = new AbortController();
  const progress = ids.length >= SHOWN_FROM ? toastProgress(() => stop.abort()) : undefined;
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !stop.signal.aborted; id = waiting.shift()) {
      try {
        await act(id);
        done.push(id);
      } catch (error) {
        failures.push(error);
      }
      progress?.show(bulk.doing(done.length + failures.length, ids.length));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  progress?.close();
  if (failures.length > 0) {
    const reason = failures[0] instanceof Error ? failures[0].message : String(failures[0]);
    toastFailure(new Error(bulk.failed(failures.length, ids.length, reason)));
  }
  return done;
}
