import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { findAsset } from '#main/status-pages/assets/assets.ts';
import { documentHeaders } from '#main/status-pages/html/frame.ts';
import { pageList, passwordPage } from '#main/status-pages/html/message-page.ts';
import { theme } from '#main/status-pages/html/theme.ts';
import type { PageDocument } from '#main/status-pages/status-pages-port.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { publicReply } from '../http/public-reply.ts';
import {
  type Context,
  type Input,
  type Operation,
  openTo,
  operation,
  type Reply,
} from '../operation.ts';
import { rootOf } from './page-path.ts';
import { sessionCookie, sessionIn } from './session-cookie.ts';

const tag = 'Status pages';
const FOR_READERS = openTo(
  'for the readers of a status page, who have no key; a private one asks for its password',
);
const FOR_EVERYBODY = openTo('a file of our own, the same for everyone and without any data');
/** The name of an asset holds its hash, so it never changes. */
const FOR_EVER_SECONDS = 31_536_000;

const slug = z.string().max(63);
const common = { method: 'get', tag, internal: true, status: 200, response: null } as const;
const HTML = 'text/html; charset=utf-8';

type PageInput = Pick<Input<unknown, unknown, unknown>, 'path' | 'header'>;

/** A page with whether the sender of a request may read it. @throws ServiceError NOT_FOUND */
export function openPage(slugGiven: string, input: PageInput, { publicPages }: Context) {
  const page = publicPages.find(slugGiven);
  return { page, mayRead: publicPages.mayRead(page, sessionIn(input.header('cookie'), page)) };
}

const MARKUP = new Set<PageDocument['kind']>(['page', 'month', 'incident', 'maintenance']);

/** A document of a page; of a private one its form, or 404 for what only programs read. */
async function documentReply(
  slugGiven: string,
  document: PageDocument,
  input: PageInput,
  context: Context,
): Promise<Reply> {
  const { page, mayRead } = openPage(slugGiven, input, context);
  const isMarkup = MARKUP.has(document.kind);
  const root = isMarkup ? rootOf(input.path, page) : './';
  if (!mayRead) {
    if (!isMarkup) throw notFound('There is nothing at this address');
    return formReply(401, page, passwordPage(page, root, null).text);
  }
  const published = await context.publicPages.read(page, document, { root, ending: '' });
  const isPrivate = page.visibility === 'PRIVATE';
  return {
    headers: {
      ...(isMarkup && headersOf(page)),
      // Feeds and JSON have no element that says so.
      ...(page.visibility !== 'PUBLIC' && { 'x-robots-tag': 'noindex' }),
      ...(document.kind === 'json' && !isPrivate && { 'access-control-allow-origin': '*' }),
      'cache-control': isPrivate ? 'private, no-cache' : 'public, max-age=0, must-revalidate',
    },
    content: { document: published },
  };
}

function headersOf({ logo, logoDark, favicon }: StatusPage) {
  return documentHeaders([logo, logoDark, favicon]);
}

function formReply(status: Reply['status'], page: StatusPage, text: string): Reply {
  return { status, headers: headersOf(page), content: { text, type: HTML } };
}

const list = operation({
  ...common,
  id: 'listPublicStatusPages',
  path: '/status',
  summary: 'The status pages that are public, as a page',
  access: FOR_READERS,
  handle: ({ path }, { publicPages }) =>
    publicReply({
      text: pageList(publicPages.listed(), path.endsWith('/') ? './' : 'status/').text,
      type: HTML,
      maxAgeSeconds: 0,
      headers: documentHeaders(),
    }),
});

/** Documents with an address of their own, by the last part of it. */
const FILES = {
  '': { kind: 'page', summary: 'A status page' },
  '/status.json': { kind: 'json', summary: 'What a status page shows, as JSON' },
  '/feed.rss': { kind: 'rss', summary: 'The updates of a status page as RSS' },
  '/feed.atom': { kind: 'atom', summary: 'The updates of a status page as Atom' },
  '/slack.rss': { kind: 'slack', summary: 'The updates of a status page as RSS without markup' },
} as const satisfies Record<string, { kind: PageDocument['kind']; summary: string }>;

const files = Object.entries(FILES).map(([ending, { kind, summary }]) =>
  operation({
    ...common,
    id: `readPublic${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    path: `/status/{slug}${ending}`,
    summary,
    access: FOR_READERS,
    params: z.object({ slug }),
    handle: (input, context) => documentReply(input.params.slug, { kind }, input, context),
  }),
);

/** A link of an exported page leads to the same document here. */
function withoutEnding(name: string): string {
  return name.replace(/\.html$/, '');
}

const month = operation({
  ...common,
  id: 'readPublicMonth',
  path: '/status/{slug}/history/{month}',
  summary: 'The incidents of a month on a status page',
  access: FOR_READERS,
  params: z.object({
    slug,
    month: z.string().regex(/^\d{4}-\d{2}(?:\.[1-9]\d?)?(?:\.html)?$/, {
      error: 'expected a month such as 2026-01',
    }),
  }),
  handle: (input, context) => {
    const [name = '', part = '1'] = withoutEnding(input.params.month).split('.');
    const document = { kind: 'month', month: name, part: Number(part) } as const;
    return documentReply(input.params.slug, document, input, context);
  },
});

const events = (['incident', 'maintenance'] as const).map((kind) =>
  operation({
    ...common,
    id: `readPublic${kind === 'incident' ? 'Incident' : 'Maintenance'}`,
    path: `/status/{slug}/${kind}s/{id}`,
    summary: kind === 'incident' ? 'An incident on a status page' : 'Maintenance on a status page',
    access: FOR_READERS,
    params: z.object({ slug, id: z.string().max(41) }),
    handle: (input, context) => {
      const { slug: given, id } = input.params;
      return documentReply(given, { kind, id: withoutEnding(id.toLowerCase()) }, input, context);
    },
  }),
);

const themeSheet = operation({
  ...common,
  id: 'readPublicTheme',
  path: '/status/{slug}/theme.css',
  summary: 'The colours of a status page',
  access: openTo('colours only, which the form of a private page has too'),
  params: z.object({ slug }),
  handle: ({ params }, { publicPages }) => {
    const { themeColors } = publicPages.find(params.slug);
    if (themeColors === null) throw notFound('There is nothing at this address');
    const { css: text } = theme(themeColors);
    return publicReply({ text, type: 'text/css; charset=utf-8', maxAgeSeconds: FOR_EVER_SECONDS });
  },
});

const assets = ['/status/assets/{name}', '/status/{slug}/assets/{name}'].map((path, index) =>
  operation({
    ...common,
    id: index === 0 ? 'readPublicAsset' : 'readPublicAssetOfPage',
    path,
    summary: 'The stylesheet or the script of status pages',
    access: FOR_EVERYBODY,
    params: z.object({ name: z.string().max(100) }),
    handle: ({ params: { name } }) => assetReply(name),
  }),
);

function assetReply(name: string): Reply {
  const asset = findAsset(name);
  if (asset === undefined) throw notFound('There is nothing at this address');
  const { bytes, type } = asset;
  return publicReply({ text: bytes.toString(), type, maxAgeSeconds: FOR_EVER_SECONDS });
}

const logIn = operation({
  id: 'logInToStatusPage',
  method: 'post',
  path: '/status/{slug}/login',
  tag,
  internal: true,
  summary: 'Opens a private status page with its password',
  access: openTo('the password is the secret; few are tried within a minute'),
  params: z.object({ slug }),
  body: { isForm: true, schema: z.object({ password: z.string().max(200) }) },
  status: 303,
  response: null,
  handle: async ({ params, body, sender, baseUrl, path }, { publicPages }) => {
    const page = publicPages.find(params.slug);
    const session = await publicPages.logIn(page, body.password, sender);
    const root = rootOf(path, page);
    if (session === null) {
      return formReply(401, page, passwordPage(page, root, 'That is not the password.').text);
    }
    const cookie = sessionCookie(page, session, { isSecure: baseUrl.startsWith('https:') });
    return { headers: { location: root, 'set-cookie': cookie } };
  },
});

/** What the readers of status pages ask for. */
export const publicPageOperations: Operation[] = [
  list,
  ...files,
  month,
  ...events,
  themeSheet,
  ...assets,
  logIn,
];
