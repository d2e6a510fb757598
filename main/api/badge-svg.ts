import { createRequire } from 'node:module';
import {
  type Badge,
  type BadgeStyle,
  type BadgeTheme,
  badgeLabel,
  badgeMessage,
} from '#shared/badges/badge.ts';
import type { Standing } from '#shared/results/standing.ts';

/** Its tables of letters' widths take 6 MB: they are loaded with the first badge. */
const load = createRequire(import.meta.url);

export interface BadgeLook {
  style: BadgeStyle;
  theme: BadgeTheme;
  responseTime: boolean;
}

/** Dark enough for white text on each of them. */
const STATE_COLOURS = {
  passing: '#2e7d46',
  degraded: '#8a5a00',
  failing: '#b3261e',
  unknown: '#6b675f',
  paused: '#6b675f',
} as const satisfies { [S in Standing]: string };

/** What the name stands on. */
const LABEL_COLOURS = {
  default: '#555555',
  light: '#eeece8',
  dark: '#1d1c1a',
} as const satisfies { [T in BadgeTheme]: string };

/** A badge as an SVG image. Names are text in it, never markup. */
export function badgeSvg(badge: Badge, { style, theme, responseTime }: BadgeLook): string {
  const { makeBadge } = load('badge-maker') as typeof import('badge-maker');
  return makeBadge({
    label: badgeLabel(badge.name),
    message: badgeMessage(badge, responseTime),
    color: STATE_COLOURS[badge.state],
    labelColor: LABEL_COLOURS[theme],
    style,
  });
}
