import { createRouter } from '@tanstack/react-router';
import { checksRoute } from '#renderer/screens/checks/route.ts';
import { signInRoute } from '#renderer/screens/sign-in/route.ts';
import { rootRoute } from './root-route.tsx';
import { shellRoute } from './shell-route.ts';

/** Every screen: a new one is a new line. */
const screens = shellRoute.addChildren([checksRoute]);

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
