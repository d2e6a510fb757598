import { createRoute, redirect } from '@tanstack/react-router';
import { SETTINGS_PAGES } from './settings-pages.ts';
import { settingsRoute } from './settings-route.ts';

/** `/settings` itself has nothing to show. */
export const settingsIndexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: SETTINGS_PAGES[0].to, replace: true });
  },
});
