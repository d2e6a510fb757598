import { z } from 'zod';
import { ADMIN, operation } from '../operation.ts';
import { idParams } from '../params.ts';

const keyView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first characters, to tell keys apart. */
  prefix: z.string(),
  created_at: z.iso.datetime(),
});

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
    content: { json: keys.all().map((record) => keyView.parse(record)) },
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
  response: z.object({ id: z.uuid(), key: z.string() }),
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
