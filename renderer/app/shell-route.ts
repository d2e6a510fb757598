import { createRoute, redirect } from '@tanstack/react-router';
import { accessStore, renewAccess } from '#renderer/api/access.ts';
import { readAhead } from '#renderer/api/live.ts';
import { FailedScreen } from './failed-screen.tsx';
import { NotFound } from './not-found.tsx';
import { rootRoute } from './root-route.tsx';
import { Shell } from './shell.tsx';

/** The parent of every screen that needs a sign-in; who is not signed in comes back after it. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: FailedScreen,
  beforeLoad: async ({ location }) => {
    const state = accessStore.get();
    const { kind } = state.kind === 'unknown' ? await renewAccess() : state;
    if (kind === 'out') {
      const to = location.href === '/' ? undefined : location.href;
      throw redirect({ to: '/sign-in', search: { to }, replace: true });
    }
    readAhead();
  },
});
