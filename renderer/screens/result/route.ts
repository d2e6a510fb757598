import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '#renderer/app/shell-route.ts';

export const resultRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/checks/$checkId/results/$resultId',
  component: lazyRouteComponent(() => import('./result-screen.tsx'), 'ResultScreen'),
});
