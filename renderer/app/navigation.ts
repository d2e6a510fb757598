import { Bell, ListChecks, type LucideIcon, Settings } from 'lucide-react';
import { text } from '#renderer/messages/messages.ts';

/** A place that the side navigation and the palette lead to. */
export interface Place {
  to: '/' | '/alerts' | '/settings';
  label: string;
  icon: LucideIcon;
}

/** In the order in which they are shown: only screens that are there. */
export const PLACES: readonly Place[] = [
  { to: '/', label: text.shell.checks, icon: ListChecks },
  { to: '/alerts', label: text.alerts.title, icon: Bell },
  { to: '/settings', label: text.settings.title, icon: Settings },
];
