import { useStore } from '#renderer/api/store.ts';
import { text } from '#renderer/messages/messages.ts';
import { Dialog } from '#renderer/parts/dialog.tsx';
import { bindingsStore, nameOf } from './keys.ts';
import styles from './keys-dialog.module.css';

/** What the keys do here. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const bindings = useStore(bindingsStore).flat();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={text.shell.keys}>
      <dl className={styles.keys}>
        {bindings
          .filter(({ isHidden }) => !isHidden)
          .map(({ key, label }) => (
            <div key={key} className={styles.row}>
              <dt>{label}</dt>
              <dd>
                {nameOf(key).map((part) => (
                  <kbd key={part} className={styles.key}>
                    {part}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
