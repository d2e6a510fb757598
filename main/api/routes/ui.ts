import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { openTo, operation, type Reply } from '../operation.ts';
import type { UiFiles } from '../ui/ui-files.ts';

/** Of the interface alone: it runs the scripts of its own folder, and calls this API. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Screenshots come with a header that an <img> cannot send.
  "img-src 'self' data: blob:",
  // Of runs in a browser.
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT =
  'The interface is not built. `npm start` builds it; the API answers all the same: see /docs.\n';

/** The interface: one document, which names what the screen at the address needs. */
export function uiDocument({ document }: UiFiles, path: string): Reply {
  if (document === null) {
    return { status: 503, content: { text: NOT_BUILT, type: 'text/plain; charset=utf-8' } };
  }
  return {
    headers: { 'content-security-policy': POLICY },
    content: { text: document(path), type: 'text/html; charset=utf-8' },
  };
}

const home = operation({
  id: 'interface',
  method: 'get',
  path: '/',
  tag: 'Appliance',
  summary: 'The interface',
  description: 'The same document answers at every address of the interface, such as /checks/….',
  access: openTo('a document of our own, the same for everyone and without any data'),
  internal: true,
  status: 200,
  response: null,
  failures: [503],
  handle: (_input, { pages }) => uiDocument(pages.ui, '/'),
});

const asset = operation({
  id: 'interfaceAsset',
  method: 'get',
  path: '/assets/{name}',
  tag: 'Appliance',
  summary: 'A script or stylesheet of the interface',
  access: openTo('a file of our own, the same for everyone and without any data'),
  internal: true,
  params: z.object({ name: z.string().max(200) }),
  status: 200,
  response: null,
  handle: ({ params: { name } }, { pages }) => {
    const file = pages.ui.assets.get(name);
    if (file === undefined) throw notFound('There is nothing at this address');
    return {
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
      content: { file },
    };
  },
});

export const uiOperations = [home, asset];
