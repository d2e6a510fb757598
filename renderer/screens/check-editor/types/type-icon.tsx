import {
  AppWindow,
  ArrowRightLeft,
  FlaskConical,
  Globe,
  HeartPulse,
  ListOrdered,
  type LucideIcon,
  Network,
  Radar,
  Webhook,
} from 'lucide-react';
import type { CheckType } from '#shared/checks/enums.ts';

const ICONS: Readonly<Record<CheckType, LucideIcon>> = {
  API: Webhook,
  URL: Globe,
  BROWSER: AppWindow,
  MULTI_STEP: ListOrdered,
  PLAYWRIGHT: FlaskConical,
  TCP: ArrowRightLeft,
  DNS: Network,
  ICMP: Radar,
  HEARTBEAT: HeartPulse,
};

/** As they are offered: what people need most comes first. */
export const TYPES_IN_ORDER = Object.keys(ICONS) as CheckType[];

export function TypeIcon({ type }: { type: CheckType }) {
  const Icon = ICONS[type];
  return <Icon size={16} strokeWidth={1.5} aria-hidden />;
}
