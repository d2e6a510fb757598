import { randomUUID } from 'node:crypto';
import {
  MAX_VARIABLES,
  MAX_VARIABLES_LENGTH,
  type Variable,
  variableCreate,
  variableMutationView,
  variableUpdate,
  viewVariableMutation,
} from '#shared/variables/variable.ts';
import { ApiError } from '../../api-error.ts';
import { type Context, KEY, operation, type Reply } from '../../operation.ts';
import { findVariable, variableParams } from './read.ts';

/** Changes of variables wait for each other, so that no key is taken twice. */
const VARIABLES = 'variables';

export const createVariable = operation({
  id: 'createVariable',
  method: 'post',
  path: '/v1/variables',
  tag: 'Snippets and variables',
  summary: 'Create a variable of the account',
  description: '409 where the key exists. The value of a secret is answered as an empty string.',
  access: KEY,
  body: { schema: variableCreate },
  status: 201,
  response: variableMutationView,
  failures: [409],
  handle: ({ body }, context) =>
    context.mutex(VARIABLES, () => keep({ id: randomUUID(), ...body }, context)),
});

export const changeVariable = operation({
  id: 'updateVariable',
  method: 'put',
  path: '/v1/variables/{key}',
  tag: 'Snippets and variables',
  summary: 'Change a variable of the account',
  description:
    '`key` in the body renames it; 409 where that key exists. `locked` and `secret` stay as they were where they are left out; a secret stays one.',
  access: KEY,
  params: variableParams,
  body: { schema: variableUpdate },
  status: 200,
  response: variableMutationView,
  failures: [409],
  handle: ({ params, body }, context) =>
    context.mutex(VARIABLES, () => {
      const before = findVariable(params.key, context);
      const { key = before.key, value, locked = before.locked, secret = false } = body;
      const changed = { id: before.id, key, value, locked, secret: before.secret || secret };
      return keep(changed, context);
    }),
});

export const deleteVariable = operation({
  id: 'deleteVariable',
  method: 'delete',
  path: '/v1/variables/{key}',
  tag: 'Snippets and variables',
  summary: 'Delete a variable of the account',
  access: KEY,
  params: variableParams,
  status: 204,
  response: null,
  handle: ({ params: { key } }, context) =>
    context.mutex(VARIABLES, async () => {
      await context.configuration.variables.delete(findVariable(key, context).id);
      return {};
    }),
});

async function keep(variable: Variable, { configuration }: Context): Promise<Reply> {
  const others = configuration.variables.all().filter(({ id }) => id !== variable.id);
  refuseTakenKey(variable, others);
  refuseTooMany([...others, variable]);
  await configuration.variables.put(variable);
  return { content: { json: viewVariableMutation(variable) } };
}

function refuseTakenKey({ key }: Variable, others: readonly Variable[]): void {
  if (others.some((other) => other.key === key)) {
    throw new ApiError(409, `A variable is called ${key} already`);
  }
}

function refuseTooMany(variables: readonly Variable[]): void {
  if (variables.length > MAX_VARIABLES) {
    throw new ApiError(409, `There are ${MAX_VARIABLES} variables already`);
  }
  const length = variables.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  if (length > MAX_VARIABLES_LENGTH) {
    const limit = `${MAX_VARIABLES_LENGTH} characters`;
    throw new ApiError(409, `All variables together may hold at most ${limit}, not ${length}`);
  }
}
