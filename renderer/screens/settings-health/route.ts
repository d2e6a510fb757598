import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';

export const settingsHealthRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/health',
  component: lazyRouteComponent(() => import('./health-screen.tsx'), 'HealthScreen'),
});
