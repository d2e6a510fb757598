import { createRoute, createRouter } from '@tanstack/react-router';
import { checksRoute } from '#renderer/screens/checks/route.ts';
import { signInRoute } from '#renderer/screens/sign-in/route.ts';
import { NotFound } from './not-found.tsx';
import { rootRoute } from './root-route.tsx';
import { shellRoute } from './shell-route.ts';

const nowhereRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFound,
});

/** Every screen: a new one is a new line. */
const screens = shellRoute.addChildren([checksRoute, nowhereRoute]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([signInRoute, screens]),
  defaultPreload: 'intent',
  // Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 150,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
