import { expect, test } from 'vitest';
import { OPERATIONS } from '#main/api/operations.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';

/** Every route that answers without a key, and why. A new one must be added here. */
const OPEN_ROUTES = {
  'GET /': 'a document of our own, the same for everyone and without any data',
  'GET /assets/{name}': 'a file of our own, the same for everyone and without any data',
  'POST /app/sign-in':
    'the key or the token is the secret; few wrong ones are tried within a minute',
  'GET /docs': 'documentation, the same for everyone and without any data',
  'GET /docs/start.js': 'documentation, the same for everyone and without any data',
  'GET /docs/swagger-ui.js': 'documentation, the same for everyone and without any data',
  'GET /docs/style.css': 'documentation, the same for everyone and without any data',
  'GET /openapi.json': 'documentation, the same for everyone and without any data',
  'GET /healthz': 'supervisors ask it; it tells nothing but that the process answers',
  'GET /readyz': 'load balancers ask it; it tells nothing but that the store answers',
  'GET /ping/{token}': 'the token in the path is the secret; jobs send pings with plain curl',
  'POST /ping/{token}': 'the token in the path is the secret; jobs send pings with plain curl',
  'GET /checks/{id}/trigger/{token}':
    'the token in the path is the secret; deployment hooks call it with plain curl',
  'GET /check-groups/{id}/trigger/{token}':
    'the token in the path is the secret; deployment hooks call it with plain curl',
  'GET /v1/badges/checks/{checkId}':
    'an image of a check or a group that somebody made public, for other pages',
  'GET /v1/badges/groups/{groupId}':
    'an image of a check or a group that somebody made public, for other pages',
  'GET /dashboards/{customUrl}':
    'the page of a dashboard, which is for people without a key; not of a private one',
  'GET /dashboards/assets/{name}': 'a file of our own, the same for everyone and without any data',
  'GET /dashboards/{customUrl}/assets/{name}':
    'a file of our own, the same for everyone and without any data',
  'POST /status/{slug}/subscribe':
    'the form of a status page that its reader may see; it mails the address at most every 10 minutes',
  'GET /status/{slug}/subscriptions/{subscriptionId}/{token}/confirm':
    'the token in the path is the secret, which only the address has in its mails',
  'POST /status/{slug}/subscriptions/{subscriptionId}/{token}/confirm':
    'the token in the path is the secret, which only the address has in its mails',
  'GET /status/{slug}/subscriptions/{subscriptionId}/{token}/unsubscribe':
    'the token in the path is the secret, which only the address has in its mails',
  'POST /status/{slug}/subscriptions/{subscriptionId}/{token}/unsubscribe':
    'the token in the path is the secret, which only the address has in its mails',
  'GET /v1/locations': 'a fixed list that is the same for everyone',
  'GET /v1/runtimes': 'a fixed list that is the same for everyone',
  'GET /v1/runtimes/{id}': 'a fixed list that is the same for everyone',
  'GET /status':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/status.json':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/feed.rss':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/feed.atom':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/slack.rss':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/history/{month}':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/incidents/{id}':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/maintenances/{id}':
    'for the readers of a status page, who have no key; a private one asks for its password',
  'GET /status/{slug}/theme.css': 'colours only, which the form of a private page has too',
  'GET /status/assets/{name}': 'a file of our own, the same for everyone and without any data',
  'GET /status/{slug}/assets/{name}':
    'a file of our own, the same for everyone and without any data',
  'GET /artifacts/{token}/{name+}':
    'what one result left, for whoever has a link to it: signed, and over within 13 hours',
  'GET /trace-viewer/{file+}':
    'a program for browsers, the same for everyone: what it opens has a link of its own',
  'POST /status/{slug}/login': 'the password is the secret; few are tried within a minute',
};

const name = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path}`;

test('only the routes listed here answer without a key, each for its reason', () => {
  const open = OPERATIONS.flatMap((operation) =>
    operation.access.kind === 'open' ? [[name(operation), operation.access.why]] : [],
  );
  expect(Object.fromEntries(open)).toEqual(OPEN_ROUTES);
});

test('the admin token opens the keys and the link that signs in, and nothing else', () => {
  const admin = OPERATIONS.filter(({ access }) => access.kind === 'admin').map(name);
  expect(admin).toEqual([
    'GET /app/keys',
    'POST /app/keys',
    'DELETE /app/keys/{id}',
    'POST /app/sign-in-links',
  ]);
});

test('a cookie renews the access of a page or signs it out, and nothing else', () => {
  const cookie = OPERATIONS.filter(({ access }) => access.kind === 'cookie').map(name);
  expect(cookie).toEqual(['GET /app/sign-in', 'DELETE /app/sign-in']);
});

test('no two operations share a route or an id', () => {
  expect(new Set(OPERATIONS.map(name)).size).toBe(OPERATIONS.length);
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});

test('the public versions hold the public API and nothing else', () => {
  const versioned = OPERATIONS.filter(({ path }) => /^\/v[123]\//.test(path));
  expect(versioned.filter(({ internal, access }) => internal || access.kind === 'admin')).toEqual(
    [],
  );
});

test('every check type has a route to create it and one to update it', () => {
  const posts = OPERATIONS.filter(
    ({ path, method }) => method === 'post' && /^\/v1\/checks\/\w+$/.test(path),
  );
  const puts = OPERATIONS.filter(
    ({ path, method }) => method === 'put' && /^\/v1\/checks\/\w+\/\{id\}$/.test(path),
  );
  expect(posts).toHaveLength(CHECK_TYPES.length);
  expect(puts).toHaveLength(CHECK_TYPES.length);
});

/** Creations that answer 200, as the public API has it, and a question that is asked by POST. */
const POSTS_WITH_200 = new Set([
  'POST /v1/incidents',
  'POST /v1/analytics/checks',
  'POST /v1/status-pages/incidents/{incidentId}/incident-updates',
]);

test('creation answers 201, deletion and cancelling 204 without a body, all else 200', () => {
  const wrong = OPERATIONS.filter(({ path }) => path.startsWith('/v')).filter((operation) => {
    const { method, path, status, response } = operation;
    if (method === 'delete' || path.endsWith('/cancel')) return status !== 204 || response !== null;
    const isCreated = method === 'post' && !POSTS_WITH_200.has(name(operation));
    return status !== (isCreated ? 201 : 200) || response === null;
  });
  expect(wrong.map(name)).toEqual([]);
});
