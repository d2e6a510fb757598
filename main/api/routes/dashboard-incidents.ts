import { z } from 'zod';
import { flag } from '#shared/api/query.ts';
import {
  dashboardIncidentCreate,
  dashboardIncidentHead,
  dashboardIncidentUpdate,
  dashboardIncidentView,
  incidentUpdateCreate,
  incidentUpdateEdit,
  incidentUpdateView,
  newIncidentUpdateView,
  viewDashboardIncident,
  viewIncidentHead,
} from '#shared/dashboards/dashboard-incident.ts';
import { KEY, operation } from '../operation.ts';
import { idParams, uuidParam } from '../params.ts';

const tag = 'Dashboards';
const incidentParams = z.object({ incidentId: uuidParam });
const updateParams = incidentParams.extend({ id: uuidParam });

const createIncident = operation({
  id: 'createDashboardIncident',
  method: 'post',
  path: '/v1/incidents',
  tag,
  summary: 'Create an incident of a dashboard',
  description:
    'With exactly one update, the first. An account has 1,000 incidents at most: the oldest one that is over makes room for a new one, and 409 where none is.',
  access: KEY,
  body: { schema: dashboardIncidentCreate },
  status: 200,
  response: dashboardIncidentView,
  failures: [404, 409],
  handle: async ({ body }, { dashboardIncidents }) => ({
    content: { json: viewDashboardIncident(await dashboardIncidents.create(body), true) },
  }),
});

const readIncident = operation({
  id: 'readDashboardIncident',
  method: 'get',
  path: '/v1/incidents/{id}',
  tag,
  summary: 'Read an incident of a dashboard',
  description: 'With its newest update, or with all of them, newest first.',
  access: KEY,
  params: idParams,
  query: z.object({ includeAllIncidentUpdates: flag.default(false) }),
  status: 200,
  response: dashboardIncidentView,
  handle: ({ params: { id }, query }, { dashboardIncidents }) => ({
    content: {
      json: viewDashboardIncident(dashboardIncidents.find(id), query.includeAllIncidentUpdates),
    },
  }),
});

const changeIncident = operation({
  id: 'updateDashboardIncident',
  method: 'put',
  path: '/v1/incidents/{id}',
  tag,
  summary: 'Change an incident of a dashboard',
  description: 'Members left out stay as they were. The answer leaves out the updates.',
  access: KEY,
  params: idParams,
  query: z.object({
    probe: flag.optional().meta({ description: 'Accepted; means nothing.' }),
  }),
  body: { schema: dashboardIncidentUpdate },
  status: 200,
  response: dashboardIncidentHead,
  handle: async ({ params: { id }, body }, { dashboardIncidents }) => ({
    content: { json: viewIncidentHead(await dashboardIncidents.change(id, body)) },
  }),
});

const deleteIncident = operation({
  id: 'deleteDashboardIncident',
  method: 'delete',
  path: '/v1/incidents/{id}',
  tag,
  summary: 'Delete an incident of a dashboard',
  access: KEY,
  params: idParams,
  status: 204,
  response: null,
  handle: async ({ params: { id } }, { dashboardIncidents }) => {
    await dashboardIncidents.delete(id);
    return {};
  },
});

const addUpdate = operation({
  id: 'createDashboardIncidentUpdate',
  method: 'post',
  path: '/v1/incidents/{incidentId}/updates',
  tag,
  summary: 'Add an update to an incident of a dashboard',
  description: 'RESOLVED ends the incident; another update opens it again. At most 100.',
  access: KEY,
  params: incidentParams,
  body: {
    schema: incidentUpdateCreate,
    // An unknown incident answers 404 whatever the body is.
    choose: ({ params: { incidentId = '' } }, { dashboardIncidents }) => {
      dashboardIncidents.find(incidentId);
      return incidentUpdateCreate;
    },
  },
  status: 201,
  response: newIncidentUpdateView,
  failures: [409],
  handle: async ({ params: { incidentId }, body }, { dashboardIncidents }) => {
    const update = await dashboardIncidents.addUpdate(incidentId, body);
    return { content: { json: { ...update, incidentId } } };
  },
});

const editUpdate = operation({
  id: 'updateDashboardIncidentUpdate',
  method: 'put',
  path: '/v1/incidents/{incidentId}/updates/{id}',
  tag,
  summary: 'Correct an update of an incident of a dashboard',
  access: KEY,
  params: updateParams,
  body: { schema: incidentUpdateEdit },
  status: 200,
  response: incidentUpdateView,
  handle: async ({ params: { incidentId, id }, body }, { dashboardIncidents }) => ({
    content: { json: await dashboardIncidents.editUpdate(incidentId, id, body) },
  }),
});

const deleteUpdate = operation({
  id: 'deleteDashboardIncidentUpdate',
  method: 'delete',
  path: '/v1/incidents/{incidentId}/updates/{id}',
  tag,
  summary: 'Delete an update of an incident of a dashboard',
  description: '400 for the only one: an incident has at least one.',
  access: KEY,
  params: updateParams,
  status: 204,
  response: null,
  handle: async ({ params: { incidentId, id } }, { dashboardIncidents }) => {
    await dashboardIncidents.deleteUpdate(incidentId, id);
    return {};
  },
});

export const dashboardIncidentOperations = [
  createIncident,
  readIncident,
  changeIncident,
  deleteIncident,
  addUpdate,
  editUpdate,
  deleteUpdate,
];
