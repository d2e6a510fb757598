import type { ReactNode } from 'react';
import styles from './dialog.module.css';
import { join } from './join.ts';
import { createLate, useLate } from './late.ts';

const late = createLate(async () => (await import('@base-ui/react/dialog')).Dialog);

interface DialogProps {
  isOpen: boolean;
  /** Called when somebody presses Escape or clicks beside it. */
  onClose(): void;
  title: ReactNode;
  text?: ReactNode;
  isWide?: boolean;
  /** Its content begins with a field that says it all: the title is only read aloud. */
  isPalette?: boolean;
  children?: ReactNode;
}

/** A window over the page, which waits until it is closed. Focus stays in it and returns after it. */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, text, isWide, isPalette, children } = props;
  const Base = useLate(late, isOpen);
  if (Base === null) return null;
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={join(styles.popup, isWide && styles.wide, isPalette && styles.palette)}
        >
          <div className={isPalette ? styles.unseen : undefined}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {text !== undefined && (
              <Base.Description className={styles.text}>{text}</Base.Description>
            )}
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons at the end of a dialog, the one that acts last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
