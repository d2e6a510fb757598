import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textParam } from '#renderer/app/search-params.ts';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';

export const settingsVariablesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/variables',
  validateSearch: (search: Record<string, unknown>): VariablesSearch => ({
    q: textParam(search.q),
    edit: textParam(search.edit),
    new: search.new === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./variables-screen.tsx'), 'VariablesScreen'),
});

export interface VariablesSearch {
  /** A part of keys. */
  q?: string | undefined;
  /** The key of the variable whose form is open. */
  edit?: string | undefined;
  /** Whether the form of a new one is open. */
  new?: true | undefined;
}
