import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { choiceParam } from '#renderer/app/search-params.ts';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';
import { PERIODS, type Period } from '#renderer/parts/period.ts';

export const alertingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/alerting',
  /** `period`: of the past that settings are tried on. */
  validateSearch: (search): { period?: Period | undefined } => ({
    period: choiceParam(search.period, PERIODS),
  }),
  component: lazyRouteComponent(() => import('./alerting-screen.tsx'), 'AlertingScreen'),
});
