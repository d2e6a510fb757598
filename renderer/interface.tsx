import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import type { Root } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { loadScreen, router } from './app/router.ts';
import { loadWhenIdle } from './parts/late.ts';
import { Toasts } from './parts/toast.tsx';

const page = (
  <StrictMode>
    {/* The content security policy of the page takes no style elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>
);

/** Draws the interface once its screen is there. Until then the document shows the name: there is nothing else to draw. */
export function openInterface(root: Root): void {
  loadScreen(location.pathname);
  loadWhenIdle();
  // A transition is drawn in slices, between which the browser does what else it has to do.
  void router.load().finally(() => startTransition(() => root.render(page)));
}
