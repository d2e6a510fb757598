import { z } from 'zod';
import { limit } from '#shared/api/query.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import {
  incidentCreate,
  incidentPatch,
  incidentUpdate,
  incidentUpdateBody,
} from '#shared/status-pages/incident-body.ts';
import {
  incidentUpdateView,
  incidentView,
  viewIncident,
  viewIncidentUpdate,
  viewIncidentUpdates,
} from '#shared/status-pages/incident-view.ts';
import { afterCursor, cursorList, listedByCursor, nextId } from '../cursor.ts';
import { type BodySchema, type Context, KEY, operation, type Reply } from '../operation.ts';
import { uuidParam } from '../params.ts';

const tag = 'Incidents';
const incidentsPath = '/v1/status-pages/incidents';
const path = `${incidentsPath}/{incidentId}`;
const updatesPath = `${path}/incident-updates`;
const updatePath = `${updatesPath}/{incidentUpdateId}`;
const params = z.object({ incidentId: uuidParam });
const updateParams = params.extend({ incidentUpdateId: uuidParam });

function shown(
  incident: StoredIncident,
  { id: accountId }: { id: string },
  { clock }: Context,
): Reply {
  return { content: { json: viewIncident(incident, { accountId, now: clock.now() }) } };
}

/** 404 for an incident that does not exist comes before 400 for its body. */
function ofIncident(schema: z.ZodType): BodySchema['choose'] {
  return async ({ params: { incidentId = '' } }, { incidents }) => {
    await incidents.find(incidentId);
    return schema;
  };
}

const createIncident = operation({
  id: 'createIncident',
  method: 'post',
  path: incidentsPath,
  tag,
  summary: 'Open an incident',
  description:
    'With exactly one update. It shows on every status page that has one of its services. `notifySubscribers` of the update mails it to the subscribers of these pages. 409 while too many incidents are open.',
  access: KEY,
  body: { schema: incidentCreate },
  status: 201,
  response: incidentView,
  failures: [409],
  handle: async ({ body, account }, context) =>
    shown(await context.incidents.create(body), account, context),
});

const listIncidents = operation({
  id: 'listIncidents',
  method: 'get',
  path: incidentsPath,
  tag,
  summary: 'List incidents, by cursor',
  description: 'Newest first. `nextId` leads to the next page; it is null on the last one.',
  access: KEY,
  query: z.object({ limit: limit(100, 20), nextId }),
  status: 200,
  response: cursorList(incidentView),
  handle: async ({ query, account }, { incidents, clock }) => {
    const page = await incidents.page({ after: afterCursor(query), limit: query.limit });
    const at = { accountId: account.id, now: clock.now() };
    return listedByCursor(page, (incident) => viewIncident(incident, at));
  },
});

const readIncident = operation({
  id: 'readIncident',
  method: 'get',
  path,
  tag,
  summary: 'Read an incident',
  description: 'With its updates, the newest public date first.',
  access: KEY,
  params,
  status: 200,
  response: incidentView,
  handle: async ({ params, account }, context) =>
    shown(await context.incidents.find(params.incidentId), account, context),
});

const changeIncident = operation({
  id: 'updateIncident',
  method: 'put',
  path,
  tag,
  summary: 'Change an incident',
  description: 'Its name, severity and services; its updates stay.',
  access: KEY,
  params,
  body: { schema: incidentUpdate },
  status: 200,
  response: incidentView,
  handle: async ({ params, body, account }, context) =>
    shown(await context.incidents.change(params.incidentId, body), account, context),
});

const patchIncident = operation({
  id: 'patchIncident',
  method: 'patch',
  path,
  tag,
  summary: 'Change some members of an incident',
  description: 'Members left out stay as they were.',
  access: KEY,
  params,
  body: { schema: incidentPatch, choose: ofIncident(incidentPatch) },
  status: 200,
  response: incidentView,
  handle: async ({ params, body, account }, context) =>
    shown(await context.incidents.change(params.incidentId, body), account, context),
});

const deleteIncident = operation({
  id: 'deleteIncident',
  method: 'delete',
  path,
  tag,
  summary: 'Delete an incident',
  description: 'With its updates. It is left out of every status page and of their percentages.',
  access: KEY,
  params,
  status: 204,
  response: null,
  handle: async ({ params }, { incidents }) => {
    await incidents.delete(params.incidentId);
    return {};
  },
});

const createUpdate = operation({
  id: 'createIncidentUpdate',
  method: 'post',
  path: updatesPath,
  tag,
  summary: 'Add an update to an incident',
  description:
    'Any status may follow any. `RESOLVED` closes the incident, another one opens it again; the newest public date decides. Automation leaves the incident to people from then on. 409 if it has too many updates.',
  access: KEY,
  params,
  body: { schema: incidentUpdateBody, choose: ofIncident(incidentUpdateBody) },
  status: 200,
  response: incidentUpdateView,
  failures: [409],
  handle: async ({ params, body }, { incidents }) => ({
    content: { json: viewIncidentUpdate(await incidents.addUpdate(params.incidentId, body)) },
  }),
});

const listUpdates = operation({
  id: 'listIncidentUpdates',
  method: 'get',
  path: updatesPath,
  tag,
  summary: 'List the updates of an incident',
  description: 'The newest public date first.',
  access: KEY,
  params,
  status: 200,
  response: z.array(incidentUpdateView),
  handle: async ({ params }, { incidents }) => ({
    content: { json: viewIncidentUpdates((await incidents.find(params.incidentId)).updates) },
  }),
});

const readUpdate = operation({
  id: 'readIncidentUpdate',
  method: 'get',
  path: updatePath,
  tag,
  summary: 'Read an update of an incident',
  access: KEY,
  params: updateParams,
  status: 200,
  response: incidentUpdateView,
  handle: async ({ params: { incidentId, incidentUpdateId } }, { incidents }) => ({
    content: {
      json: viewIncidentUpdate(await incidents.findUpdate(incidentId, incidentUpdateId)),
    },
  }),
});

const changeUpdate = operation({
  id: 'updateIncidentUpdate',
  method: 'put',
  path: updatePath,
  tag,
  summary: 'Correct an update of an incident',
  description: 'Members left out stay as they were. Nobody is mailed.',
  access: KEY,
  params: updateParams,
  body: { schema: incidentUpdateBody },
  status: 200,
  response: incidentUpdateView,
  handle: async ({ params: { incidentId, incidentUpdateId }, body }, { incidents }) => ({
    content: {
      json: viewIncidentUpdate(await incidents.editUpdate(incidentId, incidentUpdateId, body)),
    },
  }),
});

const deleteUpdate = operation({
  id: 'deleteIncidentUpdate',
  method: 'delete',
  path: updatePath,
  tag,
  summary: 'Delete an update of an incident',
  description: '409 for the only update.',
  access: KEY,
  params: updateParams,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params: { incidentId, incidentUpdateId } }, { incidents }) => {
    await incidents.deleteUpdate(incidentId, incidentUpdateId);
    return {};
  },
});

export const incidentOperations = [
  createIncident,
  listIncidents,
  readIncident,
  changeIncident,
  patchIncident,
  deleteIncident,
  createUpdate,
  listUpdates,
  readUpdate,
  changeUpdate,
  deleteUpdate,
];
