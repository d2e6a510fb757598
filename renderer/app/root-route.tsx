import { createRootRoute, Outlet } from '@tanstack/react-router';
import { ConnectionBanner } from './connection-banner.tsx';
import { FailedScreen } from './failed-screen.tsx';
import { NotFound } from './not-found.tsx';

export const rootRoute = createRootRoute({
  component: () => (
    <>
      <ConnectionBanner />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: FailedScreen,
});
