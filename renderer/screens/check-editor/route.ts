import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { choiceParam } from '#renderer/app/search-params.ts';
import { shellRoute } from '#renderer/app/shell-route.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';

interface NewCheckSearch {
  type?: CheckType | undefined;
}

export const newCheckRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/checks/new',
  /** Without a type, the page asks for one. */
  validateSearch: (search: Record<string, unknown>): NewCheckSearch => ({
    type: choiceParam(search.type, CHECK_TYPES),
  }),
  component: lazyRouteComponent(() => import('./new-check-screen.tsx'), 'NewCheckScreen'),
});

export const editCheckRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/checks/$checkId/edit',
  component: lazyRouteComponent(() => import('./edit-check-screen.tsx'), 'EditCheckScreen'),
});
