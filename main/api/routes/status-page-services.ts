import { z } from 'zod';
import { flag, limit } from '#shared/api/query.ts';
import {
  type PageService,
  pageServiceBody,
  pageServiceView,
  viewPageService,
} from '#shared/status-pages/page-service.ts';
import { afterCursor, cursorList, listedByCursor, nextId } from '../cursor.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';

const tag = 'Status pages';
const params = z.object({ serviceId: uuidParam });

const createService = operation({
  id: 'createStatusPageService',
  method: 'post',
  path: '/v1/status-pages/services',
  tag,
  summary: 'Create a service',
  description: 'What status pages show the state of, such as "Checkout". Names need not differ.',
  access: KEY,
  body: { schema: pageServiceBody },
  status: 201,
  response: pageServiceView,
  failures: [409],
  handle: async ({ body, account }, { statusPageServices }) => ({
    content: { json: viewPageService(await statusPageServices.create(body), account.id) },
  }),
});

const listServices = operation({
  id: 'listStatusPageServices',
  method: 'get',
  path: '/v1/status-pages/services',
  tag,
  summary: 'List services, by cursor',
  description:
    'In the order of their creation. `nextId` leads to the next page; it is null on the last one. With `paginated=false` the answer is an array of all services.',
  access: KEY,
  query: z.object({ limit: limit(100, 20), nextId, paginated: flag.default(true) }),
  status: 200,
  response: z.union([cursorList(pageServiceView), z.array(pageServiceView)]),
  handle: ({ query, account }, { statusPageServices }) => {
    const view = (service: PageService) => viewPageService(service, account.id);
    if (!query.paginated) return { content: { json: statusPageServices.all().map(view) } };
    const { limit } = query;
    return listedByCursor(statusPageServices.page({ after: afterCursor(query), limit }), view);
  },
});

const readService = operation({
  id: 'readStatusPageService',
  method: 'get',
  path: '/v1/status-pages/services/{serviceId}',
  tag,
  summary: 'Read a service',
  access: KEY,
  params,
  status: 200,
  response: pageServiceView,
  handle: ({ params, account }, { statusPageServices }) => ({
    content: { json: viewPageService(statusPageServices.find(params.serviceId), account.id) },
  }),
});

const changeService = operation({
  id: 'updateStatusPageService',
  method: 'put',
  path: '/v1/status-pages/services/{serviceId}',
  tag,
  summary: 'Rename a service',
  access: KEY,
  params,
  body: { schema: pageServiceBody },
  status: 200,
  response: pageServiceView,
  handle: async ({ params, body, account }, { statusPageServices }) => ({
    content: {
      json: viewPageService(await statusPageServices.replace(params.serviceId, body), account.id),
    },
  }),
});

const deleteService = operation({
  id: 'deleteStatusPageService',
  method: 'delete',
  path: '/v1/status-pages/services/{serviceId}',
  tag,
  summary: 'Delete a service',
  description:
    '409 while a status page, the `triggerIncident` of a check, a maintenance window or an open incident names it. Incidents that are over keep its name.',
  access: KEY,
  params,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params }, { statusPageServices }) => {
    await statusPageServices.delete(params.serviceId);
    return {};
  },
});

export const statusPageServiceOperations = [
  createService,
  listServices,
  readService,
  changeService,
  deleteService,
];
