import { useEffect, useRef } from 'react';
import type { LiveEvent } from '#shared/summaries/live-event.ts';
import { api } from './client.ts';
import { connectionStore, lostConnection } from './connection.ts';
import { type LiveMessage, readEvents } from './event-stream.ts';
import { isUnreachable } from './problem.ts';
import { queryClient } from './queries.ts';
import { failSummary, forgetSummary, showSummary, tellSummary } from './summary.ts';

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();
/** Of the last message that this page took. */
let lastId = '';

const NAME = 'watchpost-live';
const AGAIN_MS = 2_000;
/** A page that nobody sees, and that shares no stream, lets go of its own after this. */
const UNSEEN_MS = 60_000;

/** The first reading of the summary, until nobody follows what happens any more. */
let reading: Promise<void> | null = null;

/** Begins to read the summary: it is on its way while the screen is still being loaded. */
export function readAhead(): void {
  reading ??= readSummary();
}

/**
 * Keeps what is shown up to date: reads the summary, then follows the stream of events. All pages of a browser
 * share one stream where the browser lets them elect who holds it, for it opens few connections to one host at once.
 *
 * @returns the way to stop
 */
export function startLive(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  addEventListener('offline', lostConnection, { signal });
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener('message', ({ data }) => void take(data as LiveMessage));
  reading ??= readSummary(signal);
  void reading.then(async () => {
    const share = (message: LiveMessage) => channel.postMessage(message);
    if (navigator.locks) {
      await navigator.locks.request(NAME, { signal }, () => follow(signal, share));
    } else await follow(signal, () => {}, true);
  }, ignoreAbort);
  return () => {
    stop.abort();
    reading = null;
    channel.close();
    forgetSummary();
  };
}

/** Hears of everything that happens, while the component is there. */
export function useLive(listener: Listener): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const hear: Listener = (event) => latest.current(event);
    listeners.add(hear);
    return () => void listeners.delete(hear);
  }, []);
}

/** Reads the summary anew, as long as it takes. */
export async function readSummary(signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    try {
      const summary = await api('GET /app/summary', { signal });
      lastId = summary.cursor;
      showSummary(summary);
      return;
    } catch (error) {
      if (signal?.aborted) return;
      failSummary(error as Error);
      if (!isUnreachable(error)) return;
      await pause(signal);
    }
  }
}

/** Follows the stream until the signal, whatever breaks it. */
async function follow(
  signal: AbortSignal,
  share: (message: LiveMessage) => void,
  isOnlyWhenSeen = false,
): Promise<void> {
  while (!signal.aborted) {
    if (isOnlyWhenSeen) await seen(signal);
    const unseen = isOnlyWhenSeen ? whileSeen(signal) : signal;
    try {
      await readEvents(lastId, unseen, (message) => {
        void take(message);
        share(message);
      });
    } catch (error) {
      if (signal.aborted) return;
      // Only the network fails so: an answer that refuses is a problem with a status.
      if (error instanceof TypeError) lostConnection();
    }
    await pause(signal);
  }
}

async function take(message: LiveMessage): Promise<void> {
  lastId = message.id;
  if (message.kind === 'refetch') {
    await Promise.all([readSummary(), queryClient.invalidateQueries()]);
    return;
  }
  tellSummary(message.events);
  for (const event of message.events) tell(event);
}

/** What was read of a collection begins with its name: it is read anew where somebody looks at it. */
function tell(event: LiveEvent): void {
  if (event.kind === 'changed') void queryClient.invalidateQueries({ queryKey: [event.what] });
  for (const listener of listeners) listener(event);
}

/** Until the next try: at once where the connection is there again. */
async function pause(signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => connectionStore.get() !== 'lost' && resolve(), AGAIN_MS);
  const stop = connectionStore.subscribe(() => connectionStore.get() === 'back' && resolve());
  signal?.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  stop();
}

function seen(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => (document.hidden && !signal.aborted ? undefined : resolve());
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', look, { once: true });
  look();
  return promise.finally(() => document.removeEventListener('visibilitychange', look));
}

/** A signal that ends some time after nobody sees the page any more. */
function whileSeen(signal: AbortSignal): AbortSignal {
  const unseen = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => unseen.abort(), UNSEEN_MS);
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', () => document.removeEventListener('visibilitychange', look), {
    once: true,
  });
  return AbortSignal.any([signal, unseen.signal]);
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
}
