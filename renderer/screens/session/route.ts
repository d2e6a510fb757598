import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { choiceParam } from '#renderer/app/search-params.ts';
import { shellRoute } from '#renderer/app/shell-route.ts';
import { SHOWN, type Shown } from './shown.ts';

export const sessionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sessions/$sessionId',
  validateSearch: (search: Record<string, unknown>): { show?: Shown | undefined } => ({
    show: choiceParam(search.show, SHOWN),
  }),
  component: lazyRouteComponent(() => import('./session-screen.tsx'), 'SessionScreen'),
});
