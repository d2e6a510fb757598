import { z } from 'zod';
import { limit, page } from '#shared/api/query.ts';
import { usersView } from '#shared/variables/uses.ts';
import {
  variableCreate,
  variableKey,
  variableMutationView,
  variableUpdate,
  variableView,
  viewVariable,
  viewVariableMutation,
} from '#shared/variables/variable.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';

const tag = 'Snippets and variables';
const params = z.object({ key: variableKey });

const createVariable = operation({
  id: 'createVariable',
  method: 'post',
  path: '/v1/variables',
  tag,
  summary: 'Create a variable of the account',
  description:
    '409 if the key exists already. The value of a secret is answered as an empty string.',
  access: KEY,
  body: { schema: variableCreate },
  status: 201,
  response: variableMutationView,
  failures: [409],
  handle: async ({ body }, { variables }) => ({
    content: { json: viewVariableMutation(await variables.create(body)) },
  }),
});

const listVariables = operation({
  id: 'listVariables',
  method: 'get',
  path: '/v1/variables',
  tag,
  summary: 'List the variables of the account',
  description:
    'In the order of creation; the value of a secret is null. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(variableView),
  handle: ({ query }, { variables }) => pageOf(variables.all(), query, viewVariable),
});

const readVariable = operation({
  id: 'readVariable',
  method: 'get',
  path: '/v1/variables/{key}',
  tag,
  summary: 'Read a variable of the account',
  description: 'The value of a secret is null.',
  access: KEY,
  params,
  status: 200,
  response: variableView,
  handle: ({ params: { key } }, { variables }) => ({
    content: { json: viewVariable(variables.find(key)) },
  }),
});

const changeVariable = operation({
  id: 'updateVariable',
  method: 'put',
  path: '/v1/variables/{key}',
  tag,
  summary: 'Change a variable of the account',
  description:
    '`key` in the body renames it; 409 where that key exists. `locked` and `secret` stay as they were where they are left out; a secret stays one.',
  access: KEY,
  params,
  body: { schema: variableUpdate },
  status: 200,
  response: variableMutationView,
  failures: [409],
  handle: async ({ params: { key }, body }, { variables }) => ({
    content: { json: viewVariableMutation(await variables.change(key, body)) },
  }),
});

const deleteVariable = operation({
  id: 'deleteVariable',
  method: 'delete',
  path: '/v1/variables/{key}',
  tag,
  summary: 'Delete a variable of the account',
  access: KEY,
  params,
  status: 204,
  response: null,
  handle: async ({ params: { key } }, { variables }) => {
    await variables.delete(key);
    return {};
  },
});

const listVariableUsers = operation({
  id: 'listVariableUsers',
  method: 'get',
  path: '/app/variables/{key}/users',
  tag,
  summary: 'List what uses a variable of the account',
  access: KEY,
  internal: true,
  params,
  status: 200,
  response: usersView,
  handle: async ({ params: { key }, isGone }, { usages }) => ({
    content: { json: await usages.ofVariable(key, isGone) },
  }),
});

export const variableOperations = [
  createVariable,
  listVariables,
  readVariable,
  changeVariable,
  deleteVariable,
  listVariableUsers,
];
