import { expect, test } from 'vitest';
import { ignoredFields } from '#shared/api/ignored-fields.ts';
import { parseInput } from '#shared/api/problems.ts';
import { groupCreateV1, groupCreateV2, groupUpdate, storedGroup } from '#shared/groups/group.ts';

const EMPTY = {
  url: '',
  headers: [],
  queryParameters: [],
  assertions: [],
  basicAuth: { username: '', password: '' },
};

const COMMON = {
  name: 'A',
  activated: true,
  muted: false,
  tags: [],
  locations: [],
  privateLocations: [],
  concurrency: 3,
  apiCheckDefaults: EMPTY,
  runtimeId: null,
  environmentVariables: [],
  alertChannelSubscriptions: [],
  setupSnippetId: null,
  tearDownSnippetId: null,
  localSetupScript: null,
  localTearDownScript: null,
  alertSettings: null,
};

test('the defaults of v1 are those of a group that decides', () => {
  expect(groupCreateV1.parse({ name: 'A' })).toEqual({
    ...COMMON,
    runParallel: false,
    useGlobalAlertSettings: true,
    doubleCheck: true,
  });
});

test('the defaults of v2 are those of a group that leaves its checks their own', () => {
  expect(groupCreateV2.parse({ name: 'A' })).toEqual({
    ...COMMON,
    useGlobalAlertSettings: null,
    doubleCheck: false,
    retryStrategy: 'FALLBACK',
  });
});

test.each([
  [{ retryStrategy: null }, null],
  [{ retryStrategy: null, doubleCheck: true }, null],
  [{ retryStrategy: 'FALLBACK', doubleCheck: true }, 'FALLBACK'],
  [{ doubleCheck: true }, undefined],
  [{ doubleCheck: false }, 'FALLBACK'],
])('v2 keeps of %j the strategy %j', (members, strategy) => {
  const { retryStrategy } = groupCreateV2.parse({ name: 'A', ...members });
  expect(retryStrategy).toBe(strategy);
});

test.each([
  [
    'null lists',
    { tags: null, locations: null, alertChannelSubscriptions: null },
    {
      tags: [],
      locations: [],
      alertChannelSubscriptions: [],
    },
  ],
  [
    'null where it means something',
    {
      privateLocations: null,
      environmentVariables: null,
      runParallel: null,
      useGlobalAlertSettings: null,
      runtimeId: null,
    },
    {
      privateLocations: null,
      environmentVariables: null,
      runParallel: null,
      useGlobalAlertSettings: null,
      runtimeId: null,
    },
  ],
  ['no defaults', { apiCheckDefaults: null }, { apiCheckDefaults: EMPTY }],
  [
    'some defaults',
    { apiCheckDefaults: { headers: null, url: null, basicAuth: null } },
    {
      apiCheckDefaults: { ...EMPTY, url: null, basicAuth: null },
    },
  ],
  [
    'half a pair',
    { apiCheckDefaults: { headers: [{ key: 'a' }], basicAuth: { username: 'b' } } },
    {
      apiCheckDefaults: {
        ...EMPTY,
        headers: [{ key: 'a', value: '', locked: false }],
        basicAuth: { username: 'b', password: '' },
      },
    },
  ],
  [
    'an empty pair',
    { apiCheckDefaults: { headers: [{ key: '', value: '' }] } },
    { apiCheckDefaults: { ...EMPTY, headers: [{ key: '', value: '', locked: false }] } },
  ],
  [
    'a subscription that does not say whether it is active',
    { alertChannelSubscriptions: [{ alertChannelId: 1 }] },
    { alertChannelSubscriptions: [{ alertChannelId: 1, activated: true }] },
  ],
  [
    'onlyOn as one word',
    { retryStrategy: { type: 'FIXED', onlyOn: 'NETWORK_ERROR' } },
    {
      retryStrategy: {
        type: 'FIXED',
        baseBackoffSeconds: 60,
        sameRegion: true,
        onlyOn: ['NETWORK_ERROR'],
      },
    },
  ],
  [
    'some alert settings',
    { alertSettings: { escalationType: 'TIME_BASED' } },
    {
      alertSettings: expect.objectContaining({ reminders: { amount: 0, interval: 5 } }),
    },
  ],
])('a body with %s is taken', (_, body, expected) => {
  for (const schema of [groupCreateV1, groupCreateV2]) {
    expect(schema.parse({ name: 'A', ...body })).toMatchObject(expected);
  }
  expect(groupUpdate.parse(body)).toEqual(expected);
});

test('an update applies no defaults and asks for nothing', () => {
  expect(groupUpdate.parse({})).toEqual({});
});

const variables = Array.from({ length: 51 }, (_, n) => ({ key: `K${n}`, value: '' }));

test.each([
  [{ name: '' }, 'name: expected at least 1 character, got ""'],
  [{ concurrency: 0 }, 'concurrency: expected a whole number from 1 to 1000, got 0'],
  [{ concurrency: 1.5 }, 'concurrency: expected a whole number from 1 to 1000, got 1.5'],
  [{ locations: ['moon'] }, /^locations\.0: expected "us-east-1"/],
  [
    { environmentVariables: variables },
    'environmentVariables: expected at most 50 items, got 51 items',
  ],
  [{ retryStrategy: 'NEVER' }, 'retryStrategy: expected "FALLBACK" or an object, got "NEVER"'],
  [
    { retryStrategy: { type: 'FIXED', maxRetries: 11 } },
    'retryStrategy.maxRetries: expected a whole number from 1 to 10, got 11',
  ],
  [
    { apiCheckDefaults: { assertions: [{ source: 'LATENCY', comparison: 'EQUALS' }] } },
    /^apiCheckDefaults\.assertions\.0\.source: expected/,
  ],
  [
    { localSetupScript: 'x'.repeat(256 * 1024 + 1) },
    'localSetupScript: expected at most 262144 characters, got 262145 characters',
  ],
  [
    { localTearDownScript: 'é'.repeat(128 * 1024 + 1) },
    'localTearDownScript: expected at most 262144 bytes in UTF-8, got 262146',
  ],
  [
    { retryStrategy: { type: 'SINGLE_RETRY', maxRetries: 2 } },
    'retryStrategy.maxRetries: expected nothing beside SINGLE_RETRY, which retries once',
  ],
  [
    {
      apiCheckDefaults: {
        assertions: [{ source: 'JSON_BODY', comparison: 'EQUALS', property: '$.' }],
      },
    },
    /^apiCheckDefaults\.assertions\.0\.property: the JSONPath is not valid/,
  ],
  [{ runParallel: 'yes' }, 'runParallel: expected true or false, got "yes"'],
])('a body with %j is refused', (members, message) => {
  for (const schema of [groupCreateV1, groupCreateV2, groupUpdate]) {
    const parsed = parseInput(schema, { name: 'A', ...members }, 'body');
    const told = parsed.ok ? [] : parsed.problems.map((one) => `${one.path}: ${one.message}`);
    expect(told).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  }
});

test('members that the service owns or has retired are dropped and named', () => {
  const body = {
    ...{ id: 0, created_at: '', name: 'A' },
    retryStrategy: { type: 'FIXED', jitter: 1 },
    apiCheckDefaults: {
      sslCheck: {},
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', order: 1 }],
    },
  };
  expect(ignoredFields(groupCreateV2, body).toSorted()).toEqual([
    'apiCheckDefaults.assertions.0.order',
    'apiCheckDefaults.sslCheck',
    'created_at',
    'id',
    'retryStrategy.jitter',
  ]);
  expect(groupCreateV2.parse(body)).not.toHaveProperty('created_at');
});

test.each(['v1', 'v2'])('what %s makes can be kept, and comes back the same', (version) => {
  const schema = version === 'v1' ? groupCreateV1 : groupCreateV2;
  const body = schema.parse({ name: 'A', tags: ['a'], retryStrategy: { type: 'LINEAR' } });
  const group = { ...body, id: '1', created_at: '2026-01-01T00:00:00.000Z', updated_at: null };
  expect(storedGroup.parse(JSON.parse(JSON.stringify(group)))).toEqual(group);
});
