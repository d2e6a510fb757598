import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import styles from './tooltip.module.css';

const DELAY_MS = 400;

/** A few words beside what the pointer or the focus is on. Nothing that is needed stands only there. */
export function Tooltip({
  content,
  children,
}: {
  content: ReactNode;
  children: ReactElement<Record<string, unknown>>;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={DELAY_MS} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8}>
          <Base.Popup className={styles.popup}>{content}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
