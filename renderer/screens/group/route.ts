import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { choiceParam } from '#renderer/app/search-params.ts';
import { shellRoute } from '#renderer/app/shell-route.ts';

const TABS = ['settings'] as const;

interface GroupSearch {
  /** Missing: the checks. */
  tab?: (typeof TABS)[number] | undefined;
}

/** `new` in place of an id is a group that is to be made. */
export const groupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups/$groupId',
  validateSearch: (search: Record<string, unknown>): GroupSearch => ({
    tab: choiceParam(search.tab, TABS),
  }),
  component: lazyRouteComponent(() => import('./group-screen.tsx'), 'GroupScreen'),
});
