import { z } from 'zod';
import { createKey } from '#main/services/keys.ts';
import { notFound } from '#main/services/service-error.ts';
import { ApiError } from '../api-error.ts';
import { ADMIN, operation } from '../operation.ts';
import { uuidParam } from './checks/find-check.ts';

/** Every request is compared with every key. */
const MAX_KEYS = 500;

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
  handle: (_input, { configuration }) => ({
    content: { json: configuration.keys.all().map((record) => keyView.parse(record)) },
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
  handle: async ({ body }, { configuration, clock }) => {
    if (configuration.keys.size >= MAX_KEYS) throw new ApiError(409, `There are ${MAX_KEYS} keys`);
    const { record, key } = createKey(body.name, clock.now());
    await configuration.keys.put(record);
    return { content: { json: { id: record.id, key } } };
  },
});

export const revokeKey = operation({
  id: 'deleteKey',
  method: 'delete',
  path: '/app/keys/{id}',
  tag: 'Appliance',
  summary: 'Revoke an API key at once',
  access: ADMIN,
  internal: true,
  params: z.object({ id: uuidParam }),
  status: 204,
  response: null,
  handle: async ({ params: { id } }, { configuration }) => {
    if (!(await configuration.keys.delete(id))) throw notFound(`No key has the id ${id}`);
    return {};
  },
});
