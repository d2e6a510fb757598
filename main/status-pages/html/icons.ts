import type { PublicState } from '#shared/status-pages/public-page.ts';
import { type Html, html, trusted } from './html.ts';

/** A state of a status page, or one that only checks have. */
type IconName = PublicState | 'unknown' | 'paused';

/** Each state has a shape of its own: none is told by its colour alone. */
const SHAPES = {
  works:
    '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="m5.2 8.2 1.9 1.9 3.7-3.9" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>',
  degraded:
    '<path d="M8 1.3c.5 0 .9.3 1.2.7l5.9 10.5c.5.9-.1 2.1-1.2 2.1H2.1c-1.1 0-1.7-1.2-1.2-2.1L6.8 2c.3-.4.7-.7 1.2-.7Z" fill="currentColor"/><path d="M8 5.5v4" stroke="var(--panel)" stroke-width="1.6" stroke-linecap="round"/><circle cx="8" cy="12" r="1" fill="var(--panel)"/>',
  'partly-down':
    '<circle cx="8" cy="8" r="7.5" fill="currentColor"/><path d="M8 4.2v4.6" stroke="var(--panel)" stroke-width="1.7" stroke-linecap="round"/><circle cx="8" cy="11.6" r="1" fill="var(--panel)"/>',
  down: '<path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5Z" fill="currentColor"/><path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" stroke="var(--panel)" stroke-width="1.7" stroke-linecap="round"/>',
  maintenance:
    '<rect x="1.2" y="1.2" width="13.6" height="13.6" rx="3" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M6.2 5v6m3.6-6v6" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/>',
  unknown:
    '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.4 1.8"/><path d="M5.5 8h5" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/>',
  paused:
    '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M6.4 5.4v5.2m3.2-5.2v5.2" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/>',
} satisfies Record<IconName, string>;

/** The word of each state, as it stands beside its icon. */
export const STATE_WORDS = {
  works: 'Works',
  degraded: 'Degraded',
  'partly-down': 'Partly down',
  down: 'Down',
  maintenance: 'Under maintenance',
} as const satisfies Record<PublicState, string>;

/** What icons refer to: once in each document that has {@link icon}s. */
export const ICON_SPRITE: Html = trusted(
  `<svg class="sprite" width="0" height="0" aria-hidden="true">${Object.entries(SHAPES)
    .map(([state, shape]) => `<symbol id="icon-${state}" viewBox="0 0 16 16">${shape}</symbol>`)
    .join('')}</svg>`,
);

/** The icon of a state in its colour; the word comes beside it. */
export function icon(state: IconName): Html {
  return html`<svg class="icon ${state}" aria-hidden="true"><use href="#icon-${state}"/></svg>`;
}
