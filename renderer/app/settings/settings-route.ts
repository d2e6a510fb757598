import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';

/** The parent of every page of the settings: their list stands beside each. */
export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-shell.tsx'), 'SettingsShell'),
});
