import './theme/tokens.css';
import './theme/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { loadScreen, router } from './app/router.ts';
import { loadWhenIdle } from './parts/late.ts';
import { Toasts } from './parts/toast.tsx';
import { applyTheme } from './theme/theme.ts';

applyTheme();
loadScreen(location.pathname);
loadWhenIdle();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the interface.');
const reactRoot = createRoot(root);
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
// Until the screen is there the document shows the name: to draw before would be to draw nothing.
void router.load().finally(() => reactRoot.render(page));
