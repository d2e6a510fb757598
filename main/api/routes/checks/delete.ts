import { KEY, operation } from '../../operation.ts';
import { idParams, noSuchCheck } from './find-check.ts';
import { checkKey } from './keep-check.ts';

export const deleteCheck = operation({
  id: 'deleteCheck',
  method: 'delete',
  path: '/v1/checks/{id}',
  tag: 'Checks',
  summary: 'Delete a check and its history',
  access: KEY,
  params: idParams,
  status: 204,
  response: null,
  handle: ({ params: { id } }, { mutex, configuration }) =>
    mutex(checkKey(id), async () => {
      if (!(await configuration.checks.delete(id))) throw noSuchCheck(id);
      return {};
    }),
});
