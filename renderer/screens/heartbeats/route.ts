import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { choiceParam, textParam } from '#renderer/app/search-params.ts';
import { shellRoute } from '#renderer/app/shell-route.ts';
import { SNIPPET_KINDS, type SnippetKind } from '#renderer/parts/heartbeat-snippets.ts';

interface HeartbeatsSearch {
  /** The check whose snippets are shown; missing: the first. */
  of?: string | undefined;
  kind?: SnippetKind | undefined;
}

export const heartbeatsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/heartbeats',
  validateSearch: (search: Record<string, unknown>): HeartbeatsSearch => ({
    of: textParam(search.of),
    kind: choiceParam(search.kind, SNIPPET_KINDS),
  }),
  component: lazyRouteComponent(() => import('./heartbeats-screen.tsx'), 'HeartbeatsScreen'),
});
