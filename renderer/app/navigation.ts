import { Bell, HeartPulse, ListChecks, type LucideIcon, Settings, Zap } from 'lucide-react';
import { text } from '#renderer/messages/messages.ts';

/** A place that the side navigation and the palette lead to. */
export interface Place {
  to: '/' | '/alerts' | '/heartbeats' | '/sessions' | '/settings';
  label: string;
  icon: LucideIcon;
}

/** In the order in which they are shown: only screens that are there. */
export const PLACES: readonly Place[] = [
  { to: '/', label: text.shell.checks, icon: ListChecks },
  { to: '/alerts', label: text.alerts.title, icon: Bell },
  { to: '/heartbeats', label: text.heartbeats.title, icon: HeartPulse },
  { to: '/sessions', label: text.sessions.title, icon: Zap },
  { to: '/settings', label: text.settings.title, icon: Settings },
];
