import { z } from 'zod';
import { incidentUpdateBody } from '#shared/status-pages/incident-body.ts';
import {
  incidentUpdateView,
  viewIncidentUpdate,
  viewIncidentUpdates,
} from '#shared/status-pages/incident-view.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';
import { ofIncident, incidentParams as params } from './incidents.ts';

const tag = 'Incidents';
const updatesPath = '/v1/status-pages/incidents/{incidentId}/incident-updates';
const updatePath = `${updatesPath}/{incidentUpdateId}`;
const updateParams = params.extend({ incidentUpdateId: uuidParam });

const createUpdate = operation({
  id: 'createIncidentUpdate',
  method: 'post',
  path: updatesPath,
  tag,
  summary: 'Add an update to an incident',
  description:
    'Any status may follow any. `RESOLVED` closes the incident, another one opens it again; the newest public date decides. Automation leaves the incident to people from then on. 409 if it has too many updates, or they are too long together.',
  access: KEY,
  params,
  body: { schema: incidentUpdateBody, choose: ofIncident(incidentUpdateBody) },
  status: 200,
  response: incidentUpdateView,
  failures: [409],
  handle: async ({ params, body }, { incidentUpdates }) => ({
    content: { json: viewIncidentUpdate(await incidentUpdates.add(params.incidentId, body)) },
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
  handle: async ({ params }, { incidentUpdates }) => ({
    content: { json: viewIncidentUpdates(await incidentUpdates.all(params.incidentId)) },
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
  handle: async ({ params: { incidentId, incidentUpdateId } }, { incidentUpdates }) => ({
    content: {
      json: viewIncidentUpdate(await incidentUpdates.find(incidentId, incidentUpdateId)),
    },
  }),
});

const changeUpdate = operation({
  id: 'updateIncidentUpdate',
  method: 'put',
  path: updatePath,
  tag,
  summary: 'Correct an update of an incident',
  description: 'Members left out stay as they were. Nobody is mailed. 409 as for a new one.',
  access: KEY,
  params: updateParams,
  body: { schema: incidentUpdateBody },
  status: 200,
  response: incidentUpdateView,
  failures: [409],
  handle: async ({ params: { incidentId, incidentUpdateId }, body }, { incidentUpdates }) => ({
    content: {
      json: viewIncidentUpdate(await incidentUpdates.edit(incidentId, incidentUpdateId, body)),
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
  handle: async ({ params: { incidentId, incidentUpdateId } }, { incidentUpdates }) => {
    await incidentUpdates.delete(incidentId, incidentUpdateId);
    return {};
  },
});

export const incidentUpdateOperations = [
  createUpdate,
  listUpdates,
  readUpdate,
  changeUpdate,
  deleteUpdate,
];
