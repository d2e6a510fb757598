import { useEffect } from 'react';
import type { CheckState } from '#shared/summaries/check-state.ts';

/** The colours and shapes of the worst state, as the tab of the browser shows them. */
const SHAPES = {
  failing:
    '<circle cx="16" cy="16" r="14" fill="#d9584e"/><path d="m11 11 10 10m0-10-10 10" stroke="#fff" stroke-width="4" stroke-linecap="round"/>',
  degraded:
    '<path d="M16 4 30 28H2Z" fill="#dfae4a" stroke="#dfae4a" stroke-width="3" stroke-linejoin="round"/>',
  passing: '<circle cx="16" cy="16" r="12" fill="#14584a"/>',
} as const;

/** Has the icon of the page tell the worst state of all checks. */
export function useFavicon(counts: Record<CheckState, number> | undefined): void {
  const worst = counts?.failing ? 'failing' : counts?.degraded ? 'degraded' : 'passing';
  useEffect(() => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${SHAPES[worst]}</svg>`;
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (link) link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }, [worst]);
}
