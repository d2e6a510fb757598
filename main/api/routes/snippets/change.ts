import { nextNumericId } from '#main/services/next-id.ts';
import { REFERENCES, usersInWords } from '#main/services/references.ts';
import { MAX_SNIPPETS, snippetBody, snippetView, viewSnippet } from '#shared/variables/snippet.ts';
import { ApiError, refuseProblems } from '../../api-error.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { findSnippet, snippetParams } from './read.ts';
import { usersOf } from './uses.ts';

export const createSnippet = operation({
  id: 'createSnippet',
  method: 'post',
  path: '/v1/snippets',
  tag: 'Snippets and variables',
  summary: 'Create a snippet',
  access: KEY,
  body: { schema: snippetBody },
  status: 201,
  response: snippetView,
  failures: [409],
  handle: ({ body }, context) =>
    context.mutex(REFERENCES, async () => {
      const { configuration, clock } = context;
      refuseTakenName(body.name, null, context);
      const { size } = configuration.snippets;
      if (size >= MAX_SNIPPETS) throw new ApiError(409, `There are ${size} snippets already`);
      const id = await nextNumericId('snippets', configuration.snippets, configuration);
      const created_at = new Date(clock.now()).toISOString();
      const snippet = { id: String(id), ...body, created_at, updated_at: null };
      await configuration.snippets.put(snippet);
      return { content: { json: viewSnippet(snippet) } };
    }),
});

export const changeSnippet = operation({
  id: 'updateSnippet',
  method: 'put',
  path: '/v1/snippets/{id}',
  tag: 'Snippets and variables',
  summary: 'Replace a snippet',
  description: 'The next run of every check that uses it has the new code.',
  access: KEY,
  params: snippetParams,
  body: { schema: snippetBody },
  status: 200,
  response: snippetView,
  handle: ({ params: { id }, body }, context) =>
    context.mutex(REFERENCES, async () => {
      const snippet = findSnippet(id, context);
      refuseTakenName(body.name, snippet.id, context);
      const updated_at = new Date(context.clock.now()).toISOString();
      const changed = { ...snippet, ...body, updated_at };
      await context.configuration.snippets.put(changed);
      return { content: { json: viewSnippet(changed) } };
    }),
});

export const deleteSnippet = operation({
  id: 'deleteSnippet',
  method: 'delete',
  path: '/v1/snippets/{id}',
  tag: 'Snippets and variables',
  summary: 'Delete a snippet',
  description:
    '409 while a check or a check group names it in `setupSnippetId` or `tearDownSnippetId`.',
  access: KEY,
  params: snippetParams,
  status: 204,
  response: null,
  failures: [409],
  handle: ({ params: { id } }, context) =>
    context.mutex(REFERENCES, async () => {
      const snippet = findSnippet(id, context);
      const { checks, groups, snippets } = context.configuration;
      const users = usersOf(id, checks.all(), groups.all());
      if (users.length > 0) {
        throw new ApiError(409, `The snippet is used by ${usersInWords(users)}`);
      }
      await snippets.delete(snippet.id);
      return {};
    }),
});

/** Scripts require snippets by name, so no two may share one. */
function refuseTakenName(name: string, ownId: string | null, { configuration }: Context): void {
  const taken = configuration.snippets.all().some((one) => one.name === name && one.id !== ownId);
  if (!taken) return;
  const message = 'expected a name that no other snippet has';
  refuseProblems({ source: 'payload', problems: [{ path: 'name', message }] });
}
