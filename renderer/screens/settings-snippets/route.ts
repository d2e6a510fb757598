import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';

export const settingsSnippetsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/snippets',
  component: lazyRouteComponent(() => import('./snippets-screen.tsx'), 'SnippetsScreen'),
});

/** `new` in place of an id is a snippet that is to be made. */
export const settingsSnippetRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/snippets/$snippetId',
  component: lazyRouteComponent(() => import('./snippet-screen.tsx'), 'SnippetScreen'),
});
