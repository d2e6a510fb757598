import { z } from 'zod';
import { limit } from '#shared/api/query.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import {
  incidentCreate,
  incidentPatch,
  incidentUpdate,
} from '#shared/status-pages/incident-body.ts';
import { incidentView, viewIncident } from '#shared/status-pages/incident-view.ts';
import { afterCursor, cursorList, listedByCursor, nextId } from '../cursor.ts';
import { type BodySchema, type Context, KEY, operation, type Reply } from '../operation.ts';
import { uuidParam } from '../params.ts';

const tag = 'Incidents';
const incidentsPath = '/v1/status-pages/incidents';
const path = `${incidentsPath}/{incidentId}`;
export const incidentParams = z.object({ incidentId: uuidParam });
const params = incidentParams;

function shown(
  incident: StoredIncident,
  { id: accountId }: { id: string },
  { clock }: Context,
): Reply {
  return { content: { json: viewIncident(incident, { accountId, now: clock.now() }) } };
}

/** 404 for an incident that does not exist comes before 400 for its body. */
export function ofIncident(schema: z.ZodType): BodySchema['choose'] {
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

export const incidentOperations = [
  createIncident,
  listIncidents,
  readIncident,
  changeIncident,
  patchIncident,
  deleteIncident,
];
