import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';
import { checkSearch } from './check-search.ts';

export const checkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/checks/$checkId',
  validateSearch: checkSearch,
  component: lazyRouteComponent(() => import('./check-screen.tsx'), 'CheckScreen'),
});
