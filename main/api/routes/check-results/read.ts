import { notFound } from '#main/services/service-error.ts';
import { checkResult } from '#shared/results/check-result.ts';
import { KEY, operation } from '../../operation.ts';
import { checkIdParams, findCheck, uuidParam } from '../checks/find-check.ts';

export const readResult = operation({
  id: 'readCheckResult',
  method: 'get',
  path: '/v1/check-results/{checkId}/{checkResultId}',
  tag: 'Check results',
  summary: 'Read one check result',
  access: KEY,
  params: checkIdParams.extend({ checkResultId: uuidParam }),
  status: 200,
  response: checkResult,
  handle: async ({ params: { checkId, checkResultId: resultId } }, context) => {
    const { name } = findCheck(checkId, context);
    const result = await context.history.findResult({ checkId, resultId, name });
    if (result === null) throw notFound(`No result of this check has the id ${resultId}`);
    return { content: { parts: [result] } };
  },
});
