import { expect, it } from 'vitest';
import { storedStatusPage } from '#shared/status-pages/status-page.ts';
import { makeStatusPage } from '../../fixtures/status-pages.ts';

it('a stored page whose word came to be reserved since is still read', () => {
  expect(storedStatusPage.safeParse(makeStatusPage([], { url: 'assets' })).success).toBe(true);
});
