import { X } from 'lucide-react';
import { useEffect } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { createLate, useLate } from './late.ts';
import styles from './toast.module.css';

const late = createLate(async () => {
  const { Toast: Base } = await import('@base-ui/react/toast');
  return { Base, manager: Base.createToastManager() };
});
type Part = Awaited<ReturnType<typeof late.load>>;
type Manager = Part['manager'];

/** Resolves once toasts are listened to: what is said before would be lost. */
const listening = Promise.withResolvers<Manager>();

/** @param otherwise called where toasts could not be loaded */
function say(message: (manager: Manager) => void, otherwise: () => void = () => {}): void {
  void late.load().then(() => listening.promise.then(message), otherwise);
}

/** How long one stays, ms: long enough to press what it offers. */
const SHOWN_MS = 6_000;
const UNDO_MS = 8_000;

/** Says what was done, and maybe offers to go on from there. */
export function toast(message: string, action?: { label: string; run(): void }): void {
  say((manager) => {
    const id = manager.add({
      title: message,
      timeout: SHOWN_MS,
      ...(action && {
        actionProps: {
          children: action.label,
          onClick() {
            manager.close(id);
            action.run();
          },
        },
      }),
    });
  });
}

/** Says what went wrong; it stays until it is closed. */
export function toastFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  say(
    (manager) => void manager.add({ title: message, type: 'failed', timeout: 0, priority: 'high' }),
  );
}

/**
 * Says what will be done, and offers to take it back. It is done once the time is over, or the page is left.
 *
 * @param act called once, unless it was taken back
 */
export function toastWithUndo(message: string, act: () => void, takeBack: () => void): void {
  let isSettled = false;
  const settle = (how: () => void) => {
    if (isSettled) return;
    isSettled = true;
    removeEventListener('pagehide', onLeave);
    how();
  };
  const onLeave = () => settle(act);
  addEventListener('pagehide', onLeave);
  say((manager) => {
    const id = manager.add({
      title: message,
      timeout: UNDO_MS,
      onClose: () => settle(act),
      actionProps: {
        children: text.parts.undo,
        onClick() {
          settle(takeBack);
          manager.close(id);
        },
      },
    });
  }, onLeave);
}

/** Says how far something long is, with the way to stop it; it stays until it is closed. */
export function toastProgress(onCancel: () => void): { show(text: string): void; close(): void } {
  const actionProps = { children: text.parts.cancel, onClick: onCancel };
  let id = '';
  say((manager) => {
    id = manager.add({ title: text.parts.loading, timeout: 0, actionProps });
  });
  return {
    show: (message) => say((manager) => manager.update(id, { title: message })),
    close: () => say((manager) => manager.close(id)),
  };
}

/** Where toasts are shown; once. */
export function Toasts() {
  const part = useLate(late, false);
  useEffect(() => {
    // After the effects of the list, in which it begins to listen.
    if (part !== null) listening.resolve(part.manager);
  }, [part]);
  if (part === null) return null;
  const { Base, manager } = part;
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <List {...part} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function List({ Base, manager }: Part) {
  const { toasts } = Base.useToastManager();
  return toasts.map((one) => (
    <Base.Root key={one.id} toast={one} className={styles.toast} swipeDirection="down">
      <Base.Title className={styles.text} render={<p />} />
      {one.actionProps && <Base.Action className={styles.action} />}
      {/* The library's own is hidden from who does not see, until the toasts are spread out. */}
      <button
        type="button"
        className={styles.close}
        aria-label={text.parts.close}
        onClick={() => manager.close(one.id)}
      >
        <X size={16} aria-hidden />
      </button>
    </Base.Root>
  ));
}
