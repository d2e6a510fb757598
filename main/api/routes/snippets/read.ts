import { z } from 'zod';
import { integer, limit, page } from '#shared/api/query.ts';
import { type Snippet, snippetView, viewSnippet } from '#shared/variables/snippet.ts';
import { notFound } from '../../api-error.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';

export const snippetParams = z.object({ id: integer(1, 1_000_000_000) });

/** The snippet of an id; 404 where there is none. */
export function findSnippet(id: number, { configuration }: Context): Snippet {
  const snippet = configuration.snippets.get(String(id));
  if (snippet === undefined) throw notFound(`No snippet has the id ${id}`);
  return snippet;
}

export const listSnippets = operation({
  id: 'listSnippets',
  method: 'get',
  path: '/v1/snippets',
  tag: 'Snippets and variables',
  summary: 'List snippets',
  description: 'In the order of their ids. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(snippetView),
  handle: ({ query }, { configuration }) =>
    pageOf(configuration.snippets.all(), query, viewSnippet),
});

export const readSnippet = operation({
  id: 'readSnippet',
  method: 'get',
  path: '/v1/snippets/{id}',
  tag: 'Snippets and variables',
  summary: 'Read a snippet',
  access: KEY,
  params: snippetParams,
  status: 200,
  response: snippetView,
  handle: ({ params: { id } }, context) => ({
    content: { json: viewSnippet(findSnippet(id, context)) },
  }),
});
