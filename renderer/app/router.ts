import { createRoute, createRouter } from '@tanstack/react-router';
import { alertsRoute } from '#renderer/screens/alerts/route.ts';
import { checkRoute } from '#renderer/screens/check/route.ts';
import { editCheckRoute, newCheckRoute } from '#renderer/screens/check-editor/route.ts';
import { checksRoute } from '#renderer/screens/checks/route.ts';
import { groupRoute } from '#renderer/screens/group/route.ts';
import { heartbeatsRoute } from '#renderer/screens/heartbeats/route.ts';
import { resultRoute } from '#renderer/screens/result/route.ts';
import { sessionRoute } from '#renderer/screens/session/route.ts';
import { sessionsRoute } from '#renderer/screens/sessions/route.ts';
import { settingsAboutRoute } from '#renderer/screens/settings-about/route.ts';
import { alertingRoute } from '#renderer/screens/settings-alerting/route.ts';
import { channelRoutes } from '#renderer/screens/settings-channels/route.ts';
import { settingsHealthRoute } from '#renderer/screens/settings-health/route.ts';
import { settingsKeysRoute } from '#renderer/screens/settings-keys/route.ts';
import {
  settingsSnippetRoute,
  settingsSnippetsRoute,
} from '#renderer/screens/settings-snippets/route.ts';
import { settingsVariablesRoute } from '#renderer/screens/settings-variables/route.ts';
import { signInRoute } from '#renderer/screens/sign-in/route.ts';
import { NotFound } from './not-found.tsx';
import { rootRoute } from './root-route.tsx';
import { settingsIndexRoute } from './settings/settings-index-route.ts';
import { settingsRoute } from './settings/settings-route.ts';
import { shellRoute } from './shell-route.ts';

const nowhereRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFound,
});

/** Every page of the settings: a new one is a new line, and one in `settings-pages.ts`. */
const settings = settingsRoute.addChildren([
  settingsIndexRoute,
  ...channelRoutes,
  alertingRoute,
  settingsKeysRoute,
  settingsVariablesRoute,
  settingsSnippetsRoute,
  settingsSnippetRoute,
  settingsHealthRoute,
  settingsAboutRoute,
]);

/** Every screen: a new one is a new line. */
const screens = shellRoute.addChildren([
  checksRoute,
  newCheckRoute,
  checkRoute,
  editCheckRoute,
  groupRoute,
  resultRoute,
  alertsRoute,
  heartbeatsRoute,
  sessionsRoute,
  sessionRoute,
  settings,
  nowhereRoute,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([signInRoute, screens]),
  defaultPreload: 'intent',
  // Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 150,
});

/** Begins to load the screen of an address: the router does it only once it knows that somebody is signed in. */
export function loadScreen(path: string): void {
  const [routes] = router.getMatchedRoutes(path);
  for (const { options } of routes) {
    const { component } = options as { component?: { preload?(): Promise<unknown> } };
    // Where it fails, the router fails too, and says so.
    component?.preload?.().catch(() => {});
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
