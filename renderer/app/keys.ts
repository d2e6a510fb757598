import { useLayoutEffect, useRef } from 'react';
import { createStore, type Store } from '#renderer/api/store.ts';

/** A key that does something on the screen that is open. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` has it: `j`, `Enter`, `?`; `mod+k` with Ctrl or ⌘, also while typing. */
  key: string;
  /** What it does, for the list that `?` shows. */
  label: string;
  run(event: KeyboardEvent): void;
  /** Not shown: another key for the same. */
  isHidden?: boolean;
}

/** Bindings of everything that is open, the innermost last. */
export const bindingsStore: Store<readonly (readonly KeyBinding[])[]> = createStore([]);

/** Has keys do something for as long as the component is there. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = bindings.map(({ key, label }) => `${key} ${label}`).join('\n');
  // Before anybody sees the component: what stands on the screen can be had by its key at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a key runs is read when it is pressed
  useLayoutEffect(() => {
    const mine = latest.current.map(
      ({ key, label, isHidden }, index): KeyBinding => ({
        key,
        label,
        ...(isHidden && { isHidden }),
        run: (event) => latest.current[index]?.run(event),
      }),
    );
    bindingsStore.set([...bindingsStore.get(), mine]);
    return () => bindingsStore.set(bindingsStore.get().filter((other) => other !== mine));
  }, [names]);
}

/** Listens to the keys of the page. Returns the way to stop. */
export function listenToKeys(): () => void {
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const isMod = event.ctrlKey || event.metaKey;
  if (!isMod && (isTyping(event.target) || isInOverlay(event.target))) return;
  const key = isMod ? `mod+${event.key.toLowerCase()}` : event.key;
  const binding = bindingsStore
    .get()
    .toReversed()
    .flat()
    .find((one) => one.key === key);
  // Enter and space belong to the button or link that has the focus.
  if (binding === undefined || (ACTIVATING.has(key) && isControl(event.target))) return;
  event.preventDefault();
  binding.run(event);
}

const ACTIVATING: ReadonlySet<string> = new Set(['Enter', ' ']);

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null
    ? !isCheckbox(target)
    : isShadowHost(target);
}

/** The code editor: its own field is behind a shadow root. */
function isShadowHost(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.shadowRoot !== null;
}

function isCheckbox(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox';
}

function isInOverlay(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('[role=dialog], [role=menu], [role=listbox]') !== null
  );
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, [role=button]') !== null;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key as it stands on keyboards, part by part. */
export function nameOf(key: string): string[] {
  const [first = '', ...rest] = key.split('+');
  if (first !== 'mod') return [key];
  return [isApple ? '⌘' : 'Ctrl', ...rest.map((part) => part.toUpperCase())];
}
