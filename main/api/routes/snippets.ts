import { z } from 'zod';
import { integer, limit, page } from '#shared/api/query.ts';
import { snippetBody, snippetView, viewSnippet } from '#shared/variables/snippet.ts';
import { usersView } from '#shared/variables/uses.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';

const tag = 'Snippets and variables';
const params = z.object({ id: integer(1, 1_000_000_000) });

const createSnippet = operation({
  id: 'createSnippet',
  method: 'post',
  path: '/v1/snippets',
  tag,
  summary: 'Create a snippet',
  access: KEY,
  body: { schema: snippetBody },
  status: 201,
  response: snippetView,
  failures: [409],
  handle: async ({ body }, { snippets }) => ({
    content: { json: viewSnippet(await snippets.create(body)) },
  }),
});

const listSnippets = operation({
  id: 'listSnippets',
  method: 'get',
  path: '/v1/snippets',
  tag,
  summary: 'List snippets',
  description: 'In the order of their ids. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(snippetView),
  handle: ({ query }, { snippets }) => pageOf(snippets.all(), query, viewSnippet),
});

const readSnippet = operation({
  id: 'readSnippet',
  method: 'get',
  path: '/v1/snippets/{id}',
  tag,
  summary: 'Read a snippet',
  access: KEY,
  params,
  status: 200,
  response: snippetView,
  handle: ({ params: { id } }, { snippets }) => ({
    content: { json: viewSnippet(snippets.find(id)) },
  }),
});

const changeSnippet = operation({
  id: 'updateSnippet',
  method: 'put',
  path: '/v1/snippets/{id}',
  tag,
  summary: 'Replace a snippet',
  description: 'The next run of every check that uses the snippet has the new code.',
  access: KEY,
  params,
  body: { schema: snippetBody },
  status: 200,
  response: snippetView,
  handle: async ({ params: { id }, body }, { snippets }) => ({
    content: { json: viewSnippet(await snippets.replace(id, body)) },
  }),
});

const deleteSnippet = operation({
  id: 'deleteSnippet',
  method: 'delete',
  path: '/v1/snippets/{id}',
  tag,
  summary: 'Delete a snippet',
  description:
    '409 while a check or a check group names it in `setupSnippetId` or `tearDownSnippetId`.',
  access: KEY,
  params,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params: { id } }, { snippets }) => {
    await snippets.delete(id);
    return {};
  },
});

const listSnippetUsers = operation({
  id: 'listSnippetUsers',
  method: 'get',
  path: '/app/snippets/{id}/users',
  tag,
  summary: 'List what uses a snippet',
  access: KEY,
  internal: true,
  params,
  status: 200,
  response: usersView,
  handle: async ({ params: { id }, isGone }, { usages }) => ({
    content: { json: await usages.ofSnippet(id, isGone) },
  }),
});

export const snippetOperations = [
  createSnippet,
  listSnippets,
  readSnippet,
  changeSnippet,
  deleteSnippet,
  listSnippetUsers,
];
