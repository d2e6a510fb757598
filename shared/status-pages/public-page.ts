/** How a service, a card or a page is, as readers see it; the later ones are worse. */
export const PUBLIC_STATES = ['works', 'maintenance', 'degraded', 'partly-down', 'down'] as const;
export type PublicState = (typeof PUBLIC_STATES)[number];
