import { readFile } from 'node:fs/promises';
import { openTo, operation } from '../operation.ts';

const DOCUMENTATION = openTo('documentation, the same for everyone and without any data');

/** Of the page alone: it runs the scripts of its own folder and of Swagger UI, and calls this API. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html';
const JS = 'text/javascript';
const ours = (name: string) => () => new URL(`../docs/${name}`, import.meta.url);
// Looked for when it is asked for: the first look for a package takes the start 40 ms.
const library = (name: string) => () => new URL(import.meta.resolve(`swagger-ui-dist/${name}`));

/** A file that is read when it is asked for: the library's are of megabytes, and seldom wanted. */
const file = (id: string, path: string, summary: string, source: () => URL, type: string) =>
  operation({
    id,
    method: 'get',
    path,
    tag: 'Appliance',
    summary,
    access: DOCUMENTATION,
    internal: path !== '/docs',
    status: 200,
    response: null,
    handle: async () => ({
      ...(type === HTML && { headers: { 'content-security-policy': PAGE_POLICY } }),
      content: { text: await readFile(source(), 'utf8'), type: `${type}; charset=utf-8` },
    }),
  });

/** The API page and what it loads. */
export const docsOperations = [
  file('docs', '/docs', 'This API as a page to read and to try', ours('page.html'), HTML),
  file('docsStart', '/docs/start.js', 'What starts that page', ours('start.js'), JS),
  file('docsLibrary', '/docs/swagger-ui.js', 'Its library', library('swagger-ui-bundle.js'), JS),
  file('docsStyle', '/docs/style.css', 'Its style', library('swagger-ui.css'), 'text/css'),
];
