import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '#renderer/app/root-route.tsx';
import { textParam } from '#renderer/app/search-params.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  /** `to`: where to go afterwards. */
  validateSearch: (search): { to?: string | undefined } => ({ to: textParam(search.to) }),
  component: lazyRouteComponent(() => import('./sign-in-screen.tsx'), 'SignInScreen'),
});
