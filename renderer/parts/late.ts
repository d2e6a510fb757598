import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createStore, type Store, useStore } from '#renderer/api/store.ts';

/** A part that the first screen does not need: it is loaded when it is wanted, or when the page has nothing to do. */
export interface Late<T> {
  /** Loads it, once; after a failure anew. */
  load(): Promise<T>;
  /** Null until it is there. */
  part: Store<T | null>;
}

const all: Late<object>[] = [];
let isFirstScreenThere = false;

export function createLate<T extends object>(load: () => Promise<T>): Late<T> {
  const part: Store<T | null> = createStore(null);
  let loading: Promise<T> | null = null;
  const loadAnew = async () => {
    try {
      const loaded = await load();
      part.set(loaded);
      return loaded;
    } catch (error) {
      loading = null;
      throw error;
    }
  };
  const late: Late<T> = {
    part,
    load() {
      loading ??= loadAnew();
      return loading;
    },
  };
  all.push(late);
  if (isFirstScreenThere) void loadAll([late]);
  return late;
}

/** The part, null until it is there. It is loaded where it is wanted; a failure is one of the component. */
export function useLate<T>(late: Late<T>, isWanted: boolean): T | null {
  const part = useStore(late.part);
  const [failure, setFailure] = useState<{ error: unknown }>();
  useEffect(() => {
    if (isWanted) late.load().catch((error: unknown) => setFailure({ error }));
  }, [late, isWanted]);
  if (failure !== undefined) throw failure.error;
  return part;
}

/** By then the first screen is there. */
const FIRST_SCREEN_MS = 1_500;

/** Loads all of them once the page has nothing else to do, so that none keeps anybody waiting. */
export function loadWhenIdle(): void {
  setTimeout(() => {
    isFirstScreenThere = true;
    void loadAll(all);
  }, FIRST_SCREEN_MS);
}

/** One after the other, each when there is nothing else to do. What fails here is loaded when it is wanted, and fails there. */
async function loadAll(those: readonly Late<object>[]): Promise<void> {
  for (const late of [...those]) {
    await idle();
    await late.load().catch(() => {});
  }
}

function idle(): Promise<unknown> {
  const isAble = typeof requestIdleCallback === 'function';
  return new Promise((resolve) => (isAble ? requestIdleCallback(resolve) : setTimeout(resolve)));
}

/** What opens as it was clicked while it was still loaded: give this to its button. */
export function useOpensAtOnce() {
  const button = useRef<HTMLButtonElement>(null);
  // At once: the button that it stands for had the focus, and a dialog that finds it lost would take it later.
  useLayoutEffect(() => button.current?.focus(), []);
  useEffect(() => {
    // After the click that asked for it, which would be one beside what opens.
    const timer = setTimeout(() => button.current?.click());
    return () => clearTimeout(timer);
  }, []);
  return button;
}
