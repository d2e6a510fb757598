import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { join } from './join.ts';

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet';

interface Look {
  kind?: ButtonKind;
  /** Holds an icon only: give it an `aria-label`, and mostly a tooltip. */
  isIcon?: boolean;
}

function classOf({ kind = 'plain', isIcon = false }: Look, more?: string): string {
  return join(styles.button, kind !== 'plain' && styles[kind], isIcon && styles.icon, more);
}

/** A button. It submits its form only where `type="submit"` says so. */
export function Button({ kind, isIcon, className, ...props }: ComponentProps<'button'> & Look) {
  return <button type="button" className={classOf({ kind, isIcon }, className)} {...props} />;
}

/** A link that looks like a button: it leads to a screen. */
export const ButtonLink = createLink(function LinkedButton({
  kind,
  isIcon,
  className,
  ...props
}: ComponentProps<'a'> & Look) {
  return <a className={classOf({ kind, isIcon }, className)} {...props} />;
});
