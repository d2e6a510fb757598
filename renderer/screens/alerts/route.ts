import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';
import { readSearch } from './search.ts';

export const alertsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./alerts-screen.tsx'), 'AlertsScreen'),
});
