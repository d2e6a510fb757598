import { z } from 'zod';
import { limit } from '#shared/api/query.ts';
import {
  pageAccessBody,
  pageAccessView,
  type StatusPage,
  statusPageCreate,
  statusPageUpdate,
  viewPageAccess,
} from '#shared/status-pages/status-page.ts';
import { statusPageView, viewStatusPage } from '#shared/status-pages/status-page-view.ts';
import { afterCursor, cursorList, listedByCursor, nextId } from '../cursor.ts';
import { type Context, KEY, operation, type Reply } from '../operation.ts';
import { uuidParam } from '../params.ts';

const tag = 'Status pages';
export const statusPageParams = z.object({ statusPageId: uuidParam });
const accessPath = '/app/status-pages/{statusPageId}/access';

async function viewsOf(
  pages: readonly StatusPage[],
  { id: accountId }: { id: string },
  { statusPages, clock }: Context,
) {
  const shown = await statusPages.shown(pages);
  return shown.map((page) => viewStatusPage(page, { accountId, now: clock.now() }));
}

async function shown(page: StatusPage, account: { id: string }, context: Context): Promise<Reply> {
  const [json] = await viewsOf([page], account, context);
  return { content: { json } };
}

const createPage = operation({
  id: 'createStatusPage',
  method: 'post',
  path: '/v1/status-pages',
  tag,
  summary: 'Create a status page',
  description:
    'Everybody may read it at `/status/{url}`, unless its access says otherwise. Services of its cards are looked up by `id`. 409 where another page has the `url` or `customDomain`.',
  access: KEY,
  body: { schema: statusPageCreate },
  status: 201,
  response: statusPageView,
  failures: [409],
  handle: async ({ body, account }, context) =>
    shown(await context.statusPages.create(body), account, context),
});

const listPages = operation({
  id: 'listStatusPages',
  method: 'get',
  path: '/v1/status-pages',
  tag,
  summary: 'List status pages, by cursor',
  description:
    'In the order of their creation. `nextId` leads to the next page; it is null on the last one.',
  access: KEY,
  query: z.object({ limit: limit(100, 20), nextId }),
  status: 200,
  response: cursorList(statusPageView),
  handle: async ({ query, account }, context) => {
    const { limit } = query;
    const { items, next } = context.statusPages.page({ after: afterCursor(query), limit });
    const views = await viewsOf(items, account, context);
    return listedByCursor({ items: views, next }, (view) => view);
  },
});

const readPage = operation({
  id: 'readStatusPage',
  method: 'get',
  path: '/v1/status-pages/{statusPageId}',
  tag,
  summary: 'Read a status page',
  access: KEY,
  params: statusPageParams,
  status: 200,
  response: statusPageView,
  handle: ({ params, account }, context) =>
    shown(context.statusPages.find(params.statusPageId), account, context),
});

const changePage = operation({
  id: 'updateStatusPage',
  method: 'put',
  path: '/v1/status-pages/{statusPageId}',
  tag,
  summary: 'Change a status page',
  description:
    'Members left out stay as they were. Of `cards`, those with an `id` are changed, those without are new, and those that are missing are removed. 409 where the `version` that is sent is not that of the page any more, or another page has the `url` or `customDomain`.',
  access: KEY,
  params: statusPageParams,
  body: { schema: statusPageUpdate },
  status: 200,
  response: statusPageView,
  failures: [409],
  handle: async ({ params, body, account }, context) =>
    shown(await context.statusPages.change(params.statusPageId, body), account, context),
});

const deletePage = operation({
  id: 'deleteStatusPage',
  method: 'delete',
  path: '/v1/status-pages/{statusPageId}',
  tag,
  summary: 'Delete a status page',
  description: 'With its subscriptions. Its services and their incidents stay.',
  access: KEY,
  params: statusPageParams,
  status: 204,
  response: null,
  handle: async ({ params }, { statusPages }) => {
    await statusPages.delete(params.statusPageId);
    return {};
  },
});

const readAccess = operation({
  id: 'readStatusPageAccess',
  method: 'get',
  path: accessPath,
  tag,
  summary: 'Say who may read a status page',
  access: KEY,
  internal: true,
  params: statusPageParams,
  status: 200,
  response: pageAccessView,
  handle: ({ params }, { statusPages }) => ({
    content: { json: viewPageAccess(statusPages.find(params.statusPageId)) },
  }),
});

const changeAccess = operation({
  id: 'updateStatusPageAccess',
  method: 'put',
  path: accessPath,
  tag,
  summary: 'Change who may read a status page',
  access: KEY,
  internal: true,
  params: statusPageParams,
  body: { schema: pageAccessBody },
  status: 200,
  response: pageAccessView,
  handle: async ({ params, body }, { statusPages }) => ({
    content: { json: viewPageAccess(await statusPages.changeAccess(params.statusPageId, body)) },
  }),
});

export const statusPageOperations = [
  createPage,
  listPages,
  readPage,
  changePage,
  deletePage,
  readAccess,
  changeAccess,
];
