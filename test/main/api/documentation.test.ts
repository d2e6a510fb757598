import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '#main/api/openapi/document.ts';
import type { JsonSchema } from '#main/api/openapi/json-schema.ts';
import { OPERATIONS } from '#main/api/operations.ts';
import { VERSION } from '#main/platform/version.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
let document: OpenApiDocument;
beforeAll(async () => {
  api = await startApi();
  document = (await api.call('GET', '/openapi.json', { key: null })).body as OpenApiDocument;
});
afterAll(() => api.close());

const open = OPERATIONS.filter(({ internal }) => !internal);
const schema = (name: string) => document.components.schemas[name] as JsonSchema;

test('the document holds every public operation, and no other', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(described.toSorted()).toEqual(
    open.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  expect(document).toMatchObject({ openapi: '3.1.1', info: { version: VERSION } });
});

test('every reference leads to a schema', () => {
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
  ];
  expect(references.length).toBeGreaterThan(100);
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
});

test('every parameter of a path is described, and required', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(names);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  }
});

test('limits and defaults of section 8 are those of the document', () => {
  const parameter = (path: string, name: string) =>
    document.paths[path]?.get?.parameters.find((one) => one.name === name)?.schema;
  const ten = { type: 'integer', minimum: 1, maximum: 100, default: 10 };
  expect(parameter('/v1/check-results/{checkId}', 'limit')).toEqual(ten);
  expect(parameter('/v2/check-results/{checkId}', 'limit')).toEqual(ten);
  expect(parameter('/v1/checks', 'limit')).toEqual(ten);
  expect(parameter('/v1/checks/heartbeats/{checkId}/events', 'limit')).toEqual({
    ...ten,
    maximum: 10,
  });
  expect(parameter('/v1/check-results/{checkId}', 'resultType')).toMatchObject({
    default: 'FINAL',
  });
  expect(parameter('/v1/check-results/{checkId}', 'page')).toMatchObject({ default: 1 });
  expect(schema('ApiCheckCreate').properties).toMatchObject({
    frequency: { default: 10, minimum: 0 },
    activated: { default: true },
    doubleCheck: { default: true },
    environmentVariables: { anyOf: [{ maxItems: 50 }, { type: 'null' }] },
    frequencyOffset: { minimum: 1 },
  });
});

test('a creation must name what its schema must, an update nothing', () => {
  expect(schema('IncidentUpdateBody').required).toEqual(['description']);
  expect(schema('UrlMonitorCreate').required).toEqual(['name', 'request']);
  expect(schema('HeartbeatCheckCreate').required).toEqual(['name', 'heartbeat']);
  expect(schema('UrlMonitorUpdate').required).toBeUndefined();
  expect(schema('HeartbeatCheckGenericUpdate').required).toEqual(['heartbeat']);
  expect(schema('Check').anyOf).toHaveLength(CHECK_TYPES.length);
});

test('operations without a key say so, the others ask for it', () => {
  for (const { path, method, access } of open) {
    const security = document.paths[path]?.[method]?.security;
    expect(security).toEqual(access.kind === 'open' ? [] : [{ key: [] }]);
  }
});

test('the page may run the scripts of this address only, and call nothing else', async () => {
  const { headers, body } = await api.call('GET', '/docs', { key: null });
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain('unsafe');
  const loaded = [...(body as string).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  expect(loaded).toEqual([
    '/docs/style.css',
    '/docs/swagger-ui.js',
    '/docs/start.js',
    '/openapi.json',
  ]);
});

test('what is deprecated says so', () => {
  const deprecated = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.deprecated)
      .map(([method]) => `${method} ${path}`),
  );
  expect(deprecated.toSorted()).toEqual([
    'delete /v1/triggers/check-groups/{groupId}',
    'delete /v1/triggers/checks/{checkId}',
    'get /v1/check-results/{checkId}',
    'get /v1/check-sessions/{checkSessionId}',
    'get /v1/check-sessions/{checkSessionId}/completion',
    'get /v1/triggers/check-groups/{groupId}',
    'get /v1/triggers/checks/{checkId}',
    'post /v1/check-groups',
    'post /v1/check-sessions/trigger',
    'post /v1/checks',
    'post /v1/triggers/check-groups/{groupId}',
    'post /v1/triggers/checks/{checkId}',
    'put /v1/check-groups/{id}',
    'put /v1/checks/{id}',
  ]);
  expect(schema('UrlMonitorCreate').properties?.doubleCheck).toMatchObject({ deprecated: true });
  expect(schema('CheckGroupCreateV2').properties?.doubleCheck).toMatchObject({ deprecated: true });
});

test('409 stands where it may be answered', () => {
  const conflicting = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => '409' in responses)
      .map(([method]) => `${method} ${path}`),
  );
  expect(conflicting.toSorted()).toEqual([
    'delete /v1/alert-channels/{id}',
    'delete /v1/check-groups/{id}',
    'delete /v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
    'delete /v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}',
    'delete /v1/snippets/{id}',
    'delete /v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}',
    'delete /v1/status-pages/services/{serviceId}',
    'patch /v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
    'post /next/checkly-storage/upload-code-bundle',
    'post /v1/alert-channels',
    'post /v1/check-groups',
    'post /v1/dashboards',
    'post /v1/incidents',
    'post /v1/incidents/{incidentId}/updates',
    'post /v1/maintenance-windows',
    'post /v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates',
    'post /v1/snippets',
    'post /v1/status-pages',
    'post /v1/status-pages/incidents',
    'post /v1/status-pages/incidents/{incidentId}/incident-updates',
    'post /v1/status-pages/services',
    'post /v1/status-pages/{statusPageId}/subscriptions/bulk',
    'post /v1/variables',
    'post /v2/check-groups',
    'put /v1/dashboards/{dashboardId}',
    'put /v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}',
    'put /v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}',
    'put /v1/status-pages/{statusPageId}',
    'put /v1/variables/{key}',
  ]);
});

test('a member that a type refuses is not documented', () => {
  expect(schema('PlaywrightCheckCreate').properties).not.toHaveProperty('retryStrategy');
});
