import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';

export const checksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./checks-screen.tsx'), 'ChecksScreen'),
});
