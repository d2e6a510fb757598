import { z } from 'zod';
import { slo, sloCreate, sloUpdate } from '#shared/analytics/slo.ts';
import { sloReport } from '#shared/analytics/slo-report.ts';
import { KEY, operation } from '../operation.ts';
import { idParams } from '../params.ts';

const common = { tag: 'Analytics', access: KEY, internal: true } as const;
const one = { ...common, path: '/app/slos/{id}', params: idParams } as const;

const listSlos = operation({
  ...common,
  id: 'listSlos',
  method: 'get',
  path: '/app/slos',
  summary: 'List all service-level objectives',
  status: 200,
  response: z.array(slo),
  handle: (_input, { slos }) => ({ content: { items: slos.all().map((each) => slo.parse(each)) } }),
});

const createSlo = operation({
  ...common,
  id: 'createSlo',
  method: 'post',
  path: '/app/slos',
  summary: 'Create a service-level objective',
  body: { schema: sloCreate },
  status: 201,
  response: slo,
  failures: [409],
  handle: async ({ body }, { slos }) => ({
    content: { json: slo.parse(await slos.create(body)) },
  }),
});

const readSlo = operation({
  ...one,
  id: 'readSlo',
  method: 'get',
  summary: 'Read a service-level objective',
  status: 200,
  response: slo,
  handle: ({ params }, { slos }) => ({ content: { json: slo.parse(slos.find(params.id)) } }),
});

const updateSlo = operation({
  ...one,
  id: 'updateSlo',
  method: 'put',
  summary: 'Change a service-level objective',
  description: 'Members left out stay as they were.',
  body: { schema: sloUpdate },
  status: 200,
  response: slo,
  handle: async ({ params, body }, { slos }) => ({
    content: { json: slo.parse(await slos.change(params.id, body)) },
  }),
});

const deleteSlo = operation({
  ...one,
  id: 'deleteSlo',
  method: 'delete',
  summary: 'Delete a service-level objective',
  status: 204,
  response: null,
  handle: async ({ params }, { slos }) => {
    await slos.delete(params.id);
    return {};
  },
});

const readSloReport = operation({
  ...one,
  id: 'readSloReport',
  method: 'get',
  path: '/app/slos/{id}/report',
  summary: 'Read how a service-level objective stands: its error budget and burn rates',
  status: 200,
  response: sloReport,
  failures: [409],
  handle: async ({ params, isGone }, { slos }) => ({
    content: { json: await slos.report(params.id, isGone) },
  }),
});

export const sloOperations = [listSlos, createSlo, readSlo, updateSlo, deleteSlo, readSloReport];
