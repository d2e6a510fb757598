import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { choiceParam } from '#renderer/app/search-params.ts';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';

export const settingsAboutRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/about',
  validateSearch: (search: Record<string, unknown>): { show?: 'all' | undefined } => ({
    show: choiceParam(search.show, ['all']),
  }),
  component: lazyRouteComponent(() => import('./about-screen.tsx'), 'AboutScreen'),
});
