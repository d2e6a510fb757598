import { z } from 'zod';
import { DASHBOARD_NAMES } from '#main/services/dashboards.ts';
import { limit, page } from '#shared/api/query.ts';
import {
  dashboardCreate,
  dashboardUpdate,
  dashboardView,
  listedDashboardView,
  viewDashboard,
  viewListedDashboard,
} from '#shared/dashboards/dashboard.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';

const tag = 'Dashboards';

/** A host name is the longest of what a dashboard is found by. */
const name = z
  .string()
  .max(253)
  .regex(/^[\w.-]+$/, { error: 'expected letters, digits, hyphens and dots' });
const params = z.object({ dashboardId: name });

const createDashboard = operation({
  id: 'createDashboard',
  method: 'post',
  path: '/v1/dashboards',
  tag,
  summary: 'Create a dashboard',
  description: '409 where another dashboard has the `customUrl` or `customDomain`.',
  access: KEY,
  body: { schema: dashboardCreate },
  status: 201,
  response: dashboardView,
  failures: [409],
  handle: async ({ body }, { dashboards }) => ({
    content: { json: viewDashboard(await dashboards.create(body)) },
  }),
});

const listDashboards = operation({
  id: 'listDashboards',
  method: 'get',
  path: '/v1/dashboards',
  tag,
  summary: 'List dashboards',
  description: 'In the order of their ids. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(listedDashboardView),
  handle: ({ query }, { dashboards }) => pageOf(dashboards.all(), query, viewListedDashboard),
});

const readDashboard = operation({
  id: 'readDashboard',
  method: 'get',
  path: '/v1/dashboards/{dashboardId}',
  tag,
  summary: 'Read a dashboard',
  access: KEY,
  params,
  query: z.object({
    type: z
      .enum(DASHBOARD_NAMES)
      .default('dashboardId')
      .meta({ description: 'Which member the path names.' }),
  }),
  status: 200,
  response: dashboardView,
  handle: ({ params: { dashboardId }, query: { type } }, { dashboards }) => ({
    content: { json: viewDashboard(dashboards.find(dashboardId, type)) },
  }),
});

const changeDashboard = operation({
  id: 'updateDashboard',
  method: 'put',
  path: '/v1/dashboards/{dashboardId}',
  tag,
  summary: 'Change a dashboard',
  description: 'Members left out stay as they were.',
  access: KEY,
  params,
  body: { schema: dashboardUpdate },
  status: 200,
  response: dashboardView,
  failures: [409],
  handle: async ({ params: { dashboardId }, body }, { dashboards }) => ({
    content: { json: viewDashboard(await dashboards.change(dashboardId, body)) },
  }),
});

const deleteDashboard = operation({
  id: 'deleteDashboard',
  method: 'delete',
  path: '/v1/dashboards/{dashboardId}',
  tag,
  summary: 'Delete a dashboard and its incidents',
  access: KEY,
  params,
  status: 204,
  response: null,
  handle: async ({ params: { dashboardId } }, { dashboards }) => {
    await dashboards.delete(dashboardId);
    return {};
  },
});

export const dashboardOperations = [
  createDashboard,
  listDashboards,
  readDashboard,
  changeDashboard,
  deleteDashboard,
];
