import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';

export const sessionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions-screen.tsx'), 'SessionsScreen'),
});
