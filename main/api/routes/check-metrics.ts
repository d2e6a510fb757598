import { z } from 'zod';
import { flag } from '#shared/api/query.ts';
import { EXPOSITION_TYPE } from '#shared/prometheus/exposition.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';

export const readCheckMetrics = operation({
  id: 'readCheckMetrics',
  method: 'get',
  path: '/accounts/{accountId}/v2/prometheus/metrics',
  tag: 'Analytics',
  summary: 'Metrics of every check as Prometheus text',
  description:
    'For Prometheus to scrape, with a key as its bearer token. Results are counted from the first request after a start on; inconclusive ones are not.',
  access: KEY,
  params: z.object({ accountId: uuidParam }),
  query: z.object({
    disableTagParsing: flag
      .default(false)
      .meta({ description: 'Whether tags `key:value` are no labels of their own.' }),
    locationLabelEnabled: flag
      .default(false)
      .meta({ description: 'Whether each location has series of its own, by `location`.' }),
    includeRetryAttempts: flag
      .default(false)
      .meta({ description: 'Whether attempts that were tried again count too.' }),
  }),
  status: 200,
  response: null,
  failures: [404],
  handle: ({ params, query }, { accounts, checkMetrics }) => {
    accounts.find(params.accountId);
    const pieces = checkMetrics.text({
      parsesTags: !query.disableTagParsing,
      byLocation: query.locationLabelEnabled,
      countsAttempts: query.includeRetryAttempts,
    });
    return { content: { pieces, type: EXPOSITION_TYPE } };
  },
});
