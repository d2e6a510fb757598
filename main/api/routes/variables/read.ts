import { z } from 'zod';
import { limit, page } from '#shared/api/query.ts';
import {
  type Variable,
  variableKey,
  variableView,
  viewVariable,
} from '#shared/variables/variable.ts';
import { notFound } from '../../api-error.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';

export const variableParams = z.object({ key: variableKey });

/** The variable of a key; 404 where there is none. */
export function findVariable(key: string, { configuration }: Context): Variable {
  const variable = configuration.variables.all().find((one) => one.key === key);
  if (variable === undefined) throw notFound(`No variable is called ${key}`);
  return variable;
}

export const listVariables = operation({
  id: 'listVariables',
  method: 'get',
  path: '/v1/variables',
  tag: 'Snippets and variables',
  summary: 'List the variables of the account',
  description:
    'In the order of creation; the value of a secret is null. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(variableView),
  handle: ({ query }, { configuration }) =>
    pageOf(configuration.variables.all(), query, viewVariable),
});

export const readVariable = operation({
  id: 'readVariable',
  method: 'get',
  path: '/v1/variables/{key}',
  tag: 'Snippets and variables',
  summary: 'Read a variable of the account',
  description: 'The value of a secret is null.',
  access: KEY,
  params: variableParams,
  status: 200,
  response: variableView,
  handle: ({ params: { key } }, context) => ({
    content: { json: viewVariable(findVariable(key, context)) },
  }),
});
