import { EXPOSITION_TYPE } from '#shared/prometheus/exposition.ts';
import { KEY, openTo, operation } from '../operation.ts';

const DOCUMENTATION = openTo('documentation, the same for everyone and without any data');

export const openapiDocument = operation({
  id: 'openapi',
  method: 'get',
  path: '/openapi.json',
  tag: 'Appliance',
  summary: 'This API as an OpenAPI 3.1 document',
  access: DOCUMENTATION,
  status: 200,
  response: null,
  handle: async (_input, { pages }) => ({
    content: { text: await pages.openapi(), type: 'application/json; charset=utf-8' },
  }),
});

export const metricsPage = operation({
  id: 'metrics',
  method: 'get',
  path: '/metrics',
  tag: 'Appliance',
  summary: 'Metrics of the appliance as Prometheus text',
  access: KEY,
  status: 200,
  response: null,
  handle: async (_input, { pages }) => ({
    content: { text: await pages.metrics(), type: EXPOSITION_TYPE },
  }),
});
