import { describe, expect, test } from 'vitest';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupBaseUrl, groupOf, withGroup } from '#shared/groups/merge-group.ts';
import { DOUBLE_CHECK } from '#shared/runs/retry.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';

const LINEAR = { type: 'LINEAR', baseBackoffSeconds: 5, sameRegion: true };
const FIXED = { type: 'FIXED', baseBackoffSeconds: 9, sameRegion: false };
const SETTINGS = { escalationType: 'TIME_BASED' };

const url = (members: object = {}) => makeCheck('URL', members as never);
const api = (request: object = {}, members: object = {}) =>
  makeCheck('API', {
    ...members,
    request: { method: 'GET', url: 'http://127.0.0.1:9/', ...request },
  } as never);

/** A row: what the check says, what the group says, and what of it runs. */
type Row = [rule: string, check: object, group: object, merged: object];

const BOTH: Row[] = [
  ['both active', {}, {}, { activated: true }],
  ['the check is not active', { activated: false }, {}, { activated: false }],
  ['the group is not active', {}, { activated: false }, { activated: false }],
  ['nobody is muted', {}, {}, { muted: false }],
  ['the check is muted', { muted: true }, {}, { muted: true }],
  ['the group is muted', {}, { muted: true }, { muted: true }],
  ['tags are united', { tags: ['b', 'a'] }, { tags: ['c', 'a'] }, { tags: ['b', 'a', 'c'] }],
  ['no locations of the group', { locations: ['eu-west-1'] }, {}, { locations: ['eu-west-1'] }],
  [
    'locations of the group',
    { locations: ['eu-west-1'], privateLocations: ['office'] },
    { locations: ['us-east-1'] },
    { locations: ['us-east-1'], privateLocations: ['office'] },
  ],
  [
    'private locations of the group',
    { locations: ['eu-west-1'], privateLocations: ['office'] },
    { privateLocations: ['cellar'] },
    { locations: ['eu-west-1'], privateLocations: ['cellar'] },
  ],
  [
    'private locations of null',
    { privateLocations: ['office'] },
    { privateLocations: null },
    { privateLocations: ['office'] },
  ],
  [
    'the check’s runtime',
    { runtimeId: '2024.02' },
    { runtimeId: '2023.09' },
    { runtimeId: '2024.02' },
  ],
  ['the group’s runtime', {}, { runtimeId: '2023.09' }, { runtimeId: '2023.09' }],
  ['nobody’s runtime', {}, {}, { runtimeId: null }],
  ['parallel by the group', {}, { runParallel: true }, { runParallel: true }],
  [
    'one by one by the group',
    { runParallel: true },
    { runParallel: false },
    { runParallel: false },
  ],
  ['left to the check', { runParallel: true }, { runParallel: null }, { runParallel: true }],
  [
    'a strategy of the group',
    { retryStrategy: LINEAR },
    { retryStrategy: FIXED },
    { retryStrategy: FIXED },
  ],
  [
    'no retries by the group',
    { retryStrategy: LINEAR },
    { retryStrategy: null },
    { retryStrategy: null },
  ],
  ['fallback', { retryStrategy: LINEAR }, { retryStrategy: 'FALLBACK' }, { retryStrategy: LINEAR }],
  [
    'the older doubleCheck of the group',
    { retryStrategy: LINEAR },
    { doubleCheck: true },
    { retryStrategy: DOUBLE_CHECK },
  ],
  [
    'a strategy beside the older doubleCheck',
    {},
    { doubleCheck: true, retryStrategy: FIXED },
    { retryStrategy: FIXED },
  ],
  [
    'alert settings of the group',
    { useGlobalAlertSettings: true },
    { useGlobalAlertSettings: false, alertSettings: SETTINGS },
    { useGlobalAlertSettings: false, alertSettings: expect.objectContaining(SETTINGS) },
  ],
  [
    'alert settings of the account by the group',
    { useGlobalAlertSettings: false, alertSettings: SETTINGS },
    { useGlobalAlertSettings: true },
    { useGlobalAlertSettings: true, alertSettings: expect.objectContaining(SETTINGS) },
  ],
  [
    'no word of the group on alerts',
    { useGlobalAlertSettings: false, alertSettings: SETTINGS },
    { useGlobalAlertSettings: null, alertSettings: null },
    { useGlobalAlertSettings: false, alertSettings: expect.objectContaining(SETTINGS) },
  ],
  [
    'alert settings of the group, with no word on those of the account',
    {},
    { useGlobalAlertSettings: null, alertSettings: SETTINGS },
    { useGlobalAlertSettings: false, alertSettings: expect.objectContaining(SETTINGS) },
  ],
];

describe.each(['v1', 'v2'] as const)('a member of a group of %s', (version) => {
  test.each(BOTH)('%s', (_, check, group, merged) => {
    expect(withGroup(url(check), makeGroup(version, group))).toMatchObject(merged);
  });

  test('the name, the frequency and all else stay the check’s', () => {
    const check = url({ frequency: 5, groupOrder: 3, doubleCheck: false });
    const { name, frequency, groupOrder, doubleCheck, request } = check;
    expect(withGroup(check, makeGroup(version, { name: 'Other' }))).toMatchObject({
      ...{ name, frequency, groupOrder, doubleCheck, request },
    });
  });
});

/** Defaults differ: a group of v1 decides where it says nothing, one of v2 leaves it to the check. */
const OWN = {
  runParallel: true,
  retryStrategy: LINEAR,
  useGlobalAlertSettings: false,
  alertSettings: SETTINGS,
};

test('a group of v1 that says nothing decides all the same', () => {
  expect(withGroup(url(OWN), makeGroup('v1'))).toMatchObject({
    runParallel: false,
    retryStrategy: DOUBLE_CHECK,
    useGlobalAlertSettings: true,
  });
  const without = makeGroup('v1', { doubleCheck: false });
  expect(withGroup(url(OWN), without).retryStrategy).toBeNull();
});

test('a group of v2 that says nothing changes nothing', () => {
  const check = url({ ...OWN, tags: ['a'], locations: ['eu-west-1'] });
  expect(withGroup(check, makeGroup('v2'))).toEqual(check);
  const plain = url();
  expect(withGroup(plain, makeGroup('v2'))).not.toHaveProperty('retryStrategy');
});

test('who decides on alerts also says who is told', () => {
  const own = [{ alertChannelId: 1, activated: true }];
  const groups = [{ alertChannelId: 2, activated: false }];
  const check = url({ alertChannelSubscriptions: own });
  const told = (version: 'v1' | 'v2', members: object) =>
    withGroup(check, makeGroup(version, { alertChannelSubscriptions: groups, ...members }))
      .alertChannelSubscriptions;
  expect(told('v1', {})).toEqual(groups);
  expect(told('v2', {})).toEqual(own);
  expect(told('v2', { useGlobalAlertSettings: true })).toEqual(groups);
  expect(told('v2', { alertSettings: SETTINGS })).toEqual(groups);
});

const variable = (key: string, value: string | null, flags = {}) => ({
  ...{ key, value, locked: false, secret: false, ...flags },
});

test('variables are united, those of the check win', () => {
  const check = api({}, { environmentVariables: [variable('B', 'check'), variable('C', 'check')] });
  const environmentVariables = [variable('A', 'group', { secret: true }), variable('B', 'group')];
  expect(withGroup(check, makeGroup('v2', { environmentVariables })).environmentVariables).toEqual([
    environmentVariables[0],
    variable('B', 'check'),
    variable('C', 'check'),
  ]);
  const bare = withGroup(api(), makeGroup('v2', { environmentVariables }));
  expect(bare.environmentVariables).toEqual(environmentVariables);
});

test('a type gets no member that it does not have', () => {
  const group = makeGroup('v1', {
    environmentVariables: [variable('A', '1')],
    privateLocations: ['office'],
    retryStrategy: FIXED,
    apiCheckDefaults: { headers: [{ key: 'x', value: '1' }] },
  });
  const gained = CHECK_TYPES.map((type) => {
    const check = makeCheck(type) as Check;
    const names = Object.keys(withGroup(check, group));
    return [
      type,
      names
        .filter((name) => !(name in check))
        .toSorted()
        .join(' '),
    ];
  });
  expect(Object.fromEntries(gained)).toEqual({
    API: 'environmentVariables privateLocations retryStrategy',
    BROWSER: 'environmentVariables privateLocations retryStrategy',
    HEARTBEAT: '',
    ICMP: 'privateLocations retryStrategy',
    MULTI_STEP: 'environmentVariables privateLocations retryStrategy',
    TCP: 'privateLocations retryStrategy',
    PLAYWRIGHT: 'environmentVariables privateLocations',
    URL: 'privateLocations retryStrategy',
    DNS: 'privateLocations retryStrategy',
  });
  expect(withGroup(url(), group).request).not.toHaveProperty('headers');
});

const pair = (key: string, value: string, locked = false) => ({ key, value, locked });
const assertion = (target: string) => ({
  ...{ source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target, regex: '' },
});
const NOBODY = { username: '', password: '' };
const ANN = { username: 'ann', password: 'a' };
const BOB = { username: 'bob', password: '' };

test.each<[rule: string, request: object, defaults: object, merged: object]>([
  [
    'headers, whose names have no case',
    { headers: [pair('X-One', 'check'), pair('z', 'check')] },
    { headers: [pair('x-one', 'group'), pair('A', 'group', true)] },
    { headers: [pair('A', 'group', true), pair('X-One', 'check'), pair('z', 'check')] },
  ],
  [
    'pairs without a name are not sent',
    {},
    { headers: [pair('', ''), pair('a', '1')], queryParameters: [pair('', '')] },
    { headers: [pair('a', '1')], queryParameters: [] },
  ],
  [
    'query parameters, whose names have one',
    { queryParameters: [pair('a', 'check'), pair('a', 'again')] },
    { queryParameters: [pair('A', 'group'), pair('a', 'group'), pair('b', 'group')] },
    {
      queryParameters: [
        pair('A', 'group'),
        pair('b', 'group'),
        pair('a', 'check'),
        pair('a', 'again'),
      ],
    },
  ],
  [
    'assertions, after those of the check',
    { assertions: [assertion('200')] },
    { assertions: [assertion('200'), assertion('201')] },
    { assertions: ['200', '200', '201'].map(assertion) },
  ],
  ['the group’s basic authentication', {}, { basicAuth: ANN }, { basicAuth: ANN }],
  ['it in place of null', { basicAuth: null }, { basicAuth: ANN }, { basicAuth: ANN }],
  ['it in place of an empty one', { basicAuth: NOBODY }, { basicAuth: ANN }, { basicAuth: ANN }],
  ['not where the check has one', { basicAuth: BOB }, { basicAuth: ANN }, { basicAuth: BOB }],
  ['no empty one of the group', { basicAuth: null }, { basicAuth: NOBODY }, { basicAuth: null }],
  [
    'none where the group has null',
    { basicAuth: NOBODY },
    { basicAuth: null },
    { basicAuth: NOBODY },
  ],
  ['no URL', {}, { url: 'https://a.test' }, { url: 'http://127.0.0.1:9/' }],
])('an API check gets %s', (_, request, apiCheckDefaults, merged) => {
  expect(withGroup(api(request), makeGroup('v2', { apiCheckDefaults })).request).toMatchObject(
    merged,
  );
});

test('merging changes neither check nor group', () => {
  const check = deepFreeze(api({ headers: [pair('a', '1')] }, { tags: ['a'] }));
  const group = deepFreeze(
    makeGroup('v1', {
      tags: ['b'],
      environmentVariables: [variable('A', '1')],
      apiCheckDefaults: { headers: [pair('b', '1')], assertions: [assertion('200')] },
    }),
  );
  expect(withGroup(check, group).tags).toEqual(['a', 'b']);
});

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}

test('without a group a check is itself', () => {
  const check = url();
  expect(withGroup(check, undefined)).toBe(check);
});

test('the group of a check is looked up; one that is gone counts as none', () => {
  const group = makeGroup('v2', {}, 7);
  const groups = new Map<string, Group>([['7', group]]);
  expect(groupOf(url({ groupId: 7 }), groups)).toBe(group);
  expect(groupOf(url({ groupId: 8 }), groups)).toBeUndefined();
  expect(groupOf(url(), groups)).toBeUndefined();
});

test.each([
  ['https://{{HOST}}/api', 'https://{{HOST}}/api'],
  ['', undefined],
  [' ', undefined],
  [null, undefined],
])('the base URL of a group with %j', (given, expected) => {
  expect(groupBaseUrl(makeGroup('v2', { apiCheckDefaults: { url: given } }))).toBe(expected);
  expect(groupBaseUrl(undefined)).toBeUndefined();
});
