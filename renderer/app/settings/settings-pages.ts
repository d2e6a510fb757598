import { text } from '#renderer/messages/messages.ts';

/** A page of the settings, as the list beside it and the palette name it. */
export interface SettingsPage {
  to: `/settings/${string}`;
  label: string;
}

const { pages } = text.settings;

/** In the order in which they are shown; `/settings` leads to the first. Only pages that are there. */
export const SETTINGS_PAGES = [
  { to: '/settings/channels', label: pages.channels },
  { to: '/settings/alerting', label: pages.alerting },
  { to: '/settings/keys', label: pages.keys },
  { to: '/settings/variables', label: pages.variables },
  { to: '/settings/snippets', label: pages.snippets },
  { to: '/settings/health', label: pages.health },
  { to: '/settings/about', label: pages.about },
] as const satisfies readonly SettingsPage[];
