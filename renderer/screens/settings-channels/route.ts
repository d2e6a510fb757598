import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textParam } from '#renderer/app/search-params.ts';
import { settingsRoute } from '#renderer/app/settings/settings-route.ts';
import { channelSearch } from './channel-search.ts';

const channelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/channels',
  component: lazyRouteComponent(() => import('./channels-screen.tsx'), 'ChannelsScreen'),
});

const newChannelRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/channels/new',
  validateSearch: (search): { service?: string | undefined } => ({
    service: textParam(search.service),
  }),
  component: lazyRouteComponent(() => import('./new-channel-screen.tsx'), 'NewChannelScreen'),
});

const channelRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/channels/$channelId',
  validateSearch: channelSearch,
  component: lazyRouteComponent(() => import('./channel-screen.tsx'), 'ChannelScreen'),
});

/** The list of channels, a new one, and one with its checks and what it was sent. */
export const channelRoutes = [channelsRoute, newChannelRoute, channelRoute] as const;
