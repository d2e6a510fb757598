import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';
import { readSearch } from './search.ts';

export const checksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./checks-screen.tsx'), 'ChecksScreen'),
});
