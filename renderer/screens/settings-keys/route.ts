import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';

export const settingsKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys-screen.tsx'), 'KeysScreen'),
});
