import { z } from 'zod';
import { keyView, newKey } from '#shared/sign-ins/key-view.ts';
import { ADMIN, operation } from '../operation.ts';
import { idParams } from '../params.ts';

export const listKeys = operation({
  id: 'listKeys',
  method: 'get',
  path: '/app/keys',
  tag: 'Appliance',
  summary: 'List the API keys',
  access: ADMIN,
  internal: true,
  status: 200,
  response: z.array(keyView),
  handle: (_input, { keys }) => ({
    content: {
      json: keys.all().map((record) => keyView.parse({ ...record, used_at: keys.usedAt(record) })),
    },
  }),
});

export const addKey = operation({
  id: 'createKey',
  method: 'post',
  path: '/app/keys',
  tag: 'Appliance',
  summary: 'Create an API key, which is shown only here',
  access: ADMIN,
  internal: true,
  body: { schema: z.object({ name: z.string().min(1).max(200) }) },
  status: 201,
  response: newKey,
  failures: [409],
  handle: async ({ body: { name } }, { keys }) => ({ content: { json: await keys.create(name) } }),
});

export const revokeKey = operation({
  id: 'deleteKey',
  method: 'delete',
  path: '/app/keys/{id}',
  tag: 'Appliance',
  summary: 'Revoke an API key at once',
  access: ADMIN,
  internal: true,
  params: idParams,
  status: 204,
  response: null,
  handle: async ({ params: { id } }, { keys }) => {
    await keys.revoke(id);
    return {};
  },
});
