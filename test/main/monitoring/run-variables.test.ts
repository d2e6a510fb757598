import { expect, test } from 'vitest';
import {
  runSecretsOf,
  runVariablesOf,
  type VariableSources,
} from '#main/monitoring/run-variables.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { withGroup } from '#shared/groups/merge-group.ts';
import type { Snippet } from '#shared/variables/snippet.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const FACTS = {
  location: 'eu-west-1',
  checkRunId: 1_700_000_000_000,
  resultId: '0190a0a0-0000-7000-8000-000000000000',
};

function snippet(id: number, name: string, script: string): Snippet {
  const created_at = '2026-01-01T00:00:00.000Z';
  return { id: String(id), name, script, created_at, updated_at: null };
}

function sources(snippets: readonly Snippet[] = [], variables: VariableSources['variables'] = []) {
  return {
    account: { id: 'the account', runtimeId: '2024.09' },
    variables,
    snippets: { get: (id: string) => snippets.find((one) => one.id === id), all: () => snippets },
    publicIps: { v4: null, v6: null },
  } satisfies VariableSources;
}

function variable<V extends string | null>(key: string, value: V, flags = {}) {
  return { key, value, locked: false, secret: false, ...flags };
}

const SECRET = { secret: true };
const LEAST = { method: 'GET', url: 'http://127.0.0.1:9/' } as const;
const apiCheck = (members: object) => makeCheck('API', members as never);

test.each(['API', 'URL', 'TCP', 'DNS', 'ICMP'] as const)(
  'a %s check without scripts and templates has the secrets of account, group and its request to run',
  (type) => {
    const check = makeCheck(type) as RunnableCheck;
    const { group } = grouped({}, { environmentVariables: [variable('G', 'group', SECRET)] });
    const account = sources([], [variable('A', 'account', SECRET), variable('B', 'plain')]);
    const overrides = { variables: [variable('O', 'asked', SECRET)] };
    expect(runSecretsOf(check, group, account, overrides)).toEqual(['account', 'group', 'asked']);
    expect(runSecretsOf(check, undefined, sources())).toBeUndefined();
  },
);

test('a check without scripts and templates has no scope, whatever variables there are', () => {
  const check = apiCheck({ environmentVariables: [variable('A', '1')] });
  expect(
    runVariablesOf(check, undefined, sources([], [variable('B', '2')]), FACTS),
  ).toBeUndefined();
  expect(
    runVariablesOf(apiCheck({ localSetupScript: ' \n' }), undefined, sources(), FACTS),
  ).toBeUndefined();
});

test('no other network check has one', () => {
  const check = makeCheck('URL', { request: { url: 'http://{{HOST}}/' } } as never);
  expect(runVariablesOf(check, undefined, sources(), FACTS)).toBeUndefined();
});

test.each(['BROWSER', 'MULTI_STEP'] as const)(
  'a %s check has its variables, the built-in ones, its runtime and the snippets that its files require',
  (type) => {
    const shelf = [snippet(1, 'login', "require('./snippets/mail.js')"), snippet(2, 'mail', '2')];
    const check = makeCheck(type, {
      ...{ script: "require('./snippets/login.js')", runtimeId: '2025.04' },
      ...{ environmentVariables: [variable('A', 'inner')] },
      dependencies: [{ path: 'page.ts', content: "import './snippets/other.js'" }],
    } as never);
    const known = sources(
      [...shelf, snippet(3, 'other', '3'), snippet(4, 'unused', '4')],
      [variable('A', 'outer'), variable('B', 'b')],
    );
    const builtIns = { CHECK_ID: check.id, CHECK_TYPE: type, RUNTIME_VERSION: '2025.04' };
    expect(runVariablesOf(check, undefined, known, FACTS)).toMatchObject({
      ...{ variables: { A: 'inner', B: 'b' }, builtIns, runtimeId: '2025.04' },
      ...{ setup: [], teardown: [] },
      snippets: { login: expect.any(String), mail: '2', other: '3' },
    });
  },
);

test('a suite can tell that a monitor runs it', () => {
  const check = makeCheck('PLAYWRIGHT');
  const scope = runVariablesOf(check, undefined, sources(), FACTS);
  expect(scope).toMatchObject({
    runtimeId: '2024.09',
    builtIns: {
      ...{ CHECKLY: '1', CI: '1', CHECKLY_CHECK_ID: check.id, CHECKLY_REGION: 'eu-west-1' },
      ...{ CHECK_ID: check.id, REGION: 'eu-west-1', RUNTIME_VERSION: '2024.09' },
    },
  });
});

test.each([
  ['the URL', { url: 'http://127.0.0.1:9/{{A}}' }],
  ['the body', { body: '{{A}}' }],
  ['a header', { headers: [{ key: 'x', value: '{{A}}' }] }],
  ['a query parameter', { queryParameters: [{ key: 'x', value: '{{A}}' }] }],
  ['the user name', { basicAuth: { username: '{{A}}', password: '' } }],
  ['the password', { basicAuth: { username: '', password: '{{A}}' } }],
  [
    'the target of an assertion',
    { assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: '{{A}}' }] },
  ],
])('a template in %s is enough', (_, request) => {
  expect(
    runVariablesOf(apiCheck({ request: { ...LEAST, ...request } }), undefined, sources(), FACTS),
  ).toBeDefined();
});

test('the variables of the check win over those of the account', () => {
  const check = apiCheck({
    localSetupScript: '1',
    environmentVariables: [
      variable('B', 'check'),
      variable('C', null, { secret: true }),
      variable('__proto__', 'own'),
    ],
  });
  const account = [variable('A', 'account'), variable('B', 'account'), variable('C', 'account')];
  const scope = runVariablesOf(check, undefined, sources([], account), FACTS);
  expect(Object.entries(scope?.variables ?? {})).toEqual([
    ['A', 'account'],
    ['B', 'check'],
    ['C', 'account'],
    ['__proto__', 'own'],
  ]);
});

test('values of secret and locked variables are secrets, also where another covers them', () => {
  const check = apiCheck({
    localSetupScript: '1',
    environmentVariables: [
      variable('A', 'plain'),
      variable('L', 'locked', { locked: true }),
      variable('S', 'secret', { secret: true }),
      variable('E', '', { secret: true }),
    ],
  });
  const account = [
    variable('A', 'covered', { secret: true }),
    variable('T', 'secret', { secret: true }),
  ];
  const secrets = runSecretsOf(check, undefined, sources([], account));
  expect(secrets).toEqual(['covered', 'secret', 'locked']);
});

test('the built-in variables tell of the check and of the run', () => {
  const check = apiCheck({ localSetupScript: '1', name: 'My check' });
  expect(runVariablesOf(check, undefined, sources(), FACTS)?.builtIns).toEqual({
    ACCOUNT_ID: 'the account',
    CHECK_ID: check.id,
    CHECK_NAME: 'My check',
    CHECK_RESULT_ID: FACTS.resultId,
    CHECK_TYPE: 'API',
    CHECK_RUN_ID: '1700000000000',
    REGION: 'eu-west-1',
    RUNTIME_VERSION: '2024.09',
  });
});

test('the runtime of the check wins over that of the account', () => {
  const check = apiCheck({ localSetupScript: '1', runtimeId: '2025.04' });
  const scope = runVariablesOf(check, undefined, sources(), FACTS);
  expect([scope?.runtimeId, scope?.builtIns.RUNTIME_VERSION]).toEqual(['2025.04', '2025.04']);
});

test('scripts come from snippets, and from the check itself where it has one', () => {
  const snippets = [snippet(1, 'log in', 'one'), snippet(2, 'tidy', 'two')];
  const named = { setupSnippetId: 1, tearDownSnippetId: 2 };
  const bySnippet = runVariablesOf(apiCheck(named), undefined, sources(snippets), FACTS);
  expect(bySnippet).toMatchObject({
    setup: [{ name: 'snippet log in', code: 'one' }],
    teardown: [{ name: 'snippet tidy', code: 'two' }],
    snippets: {},
  });
  const both = { ...named, localSetupScript: 'inline', localTearDownScript: '' };
  expect(runVariablesOf(apiCheck(both), undefined, sources(snippets), FACTS)).toMatchObject({
    setup: [{ name: 'setup script', code: 'inline' }],
    teardown: [{ name: 'snippet tidy', code: 'two' }],
  });
});

test('a snippet that was taken out of the files by hand fails the script, not in silence', () => {
  const [source] =
    runVariablesOf(apiCheck({ setupSnippetId: 7 }), undefined, sources(), FACTS)?.setup ?? [];
  expect(source).toEqual({
    name: 'snippet 7',
    code: 'throw new Error("There is no snippet 7")',
  });
});

test('snippets that scripts require go along, with those that these require, and no others', () => {
  const snippets = [
    snippet(1, 'a', "require('./snippets/b.js'); require('./snippets/a.js')"),
    snippet(2, 'b', 'require("./snippets/c.min")'),
    snippet(3, 'c.min', '3'),
    snippet(4, 'd.js', '4'),
    snippet(5, 'e', '5'),
  ];
  const check = apiCheck({
    localSetupScript: "require('./snippets/a')",
    localTearDownScript: 'require(`./snippets/d.js`)',
  });
  const found = runVariablesOf(check, undefined, sources(snippets), FACTS)?.snippets ?? {};
  expect(Object.keys(found).sort()).toEqual(['a', 'b', 'c.min', 'd.js']);
});

test('each snippet is read once, until it is another', () => {
  const reads: string[] = [];
  const counted = (one: Snippet): Snippet => ({
    ...one,
    get script() {
      reads.push(one.name);
      return one.script;
    },
  });
  const kept = [
    counted(snippet(1, 'a', "require('./snippets/b')")),
    counted(snippet(2, 'b', "require('./snippets/a')")),
  ];
  const check = apiCheck({ localSetupScript: "require('./snippets/a')" });
  const runOnce = (snippets: readonly Snippet[]) => {
    reads.length = 0;
    const scope = runVariablesOf(check, undefined, sources(snippets), FACTS);
    return { found: Object.keys(scope?.snippets ?? {}).toSorted(), reads: reads.length };
  };
  const first = runOnce(kept);
  const again = runOnce(kept);
  expect([first.found, again.found]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  // Its code is handed to every run, but looked through for names only by the first.
  expect(first.reads - again.reads).toBe(2);
  expect(runOnce([snippet(1, 'a', '1'), ...kept.slice(1)]).found).toEqual(['a']);
});

test('snippets beyond 1 MB are not gathered: one too many is enough to refuse them', () => {
  const code = 'x'.repeat(250 * 1024);
  const snippets = Array.from({ length: 50 }, (_, n) => snippet(n + 1, `s${n}`, code));
  const localSetupScript = snippets.map(({ name }) => `require('./snippets/${name}.js');`).join('');
  const scope = runVariablesOf(apiCheck({ localSetupScript }), undefined, sources(snippets), FACTS);
  const texts = Object.values(scope?.snippets ?? {});
  expect(texts.join('').length).toBeGreaterThan(1024 * 1024);
  expect(texts.join('').length).toBeLessThanOrEqual(1024 * 1024 + code.length);
});

test('every run has the scope of its location and moment', async () => {
  const monitor = await simulatedMonitor();
  const { configuration, clock, runner, root } = monitor;
  await configuration.variables.put({ id: 'v', ...variable('HOST', 'a.test', { secret: true }) });
  await configuration.checks.put(
    apiCheck({
      frequency: 1,
      locations: ['eu-west-1', 'us-east-1'],
      runParallel: true,
      request: { ...LEAST, headers: [{ key: 'x-host', value: '{{HOST}}' }] },
    }),
  );
  await configuration.checks.put(makeCheck('URL', { frequency: 1 }));
  await clock.advance(60_000);
  const scopes = runner.requests.flatMap(({ request }) =>
    request.check.checkType === 'API' ? [request.scope] : [],
  );
  expect(scopes.slice(0, 2)).toMatchObject([
    { variables: { HOST: 'a.test' }, builtIns: { REGION: 'eu-west-1' } },
    { variables: { HOST: 'a.test' }, builtIns: { REGION: 'us-east-1' } },
  ]);
  const plain = runner.requests.filter(({ request }) => request.check.checkType === 'URL');
  expect(plain.map(({ request }) => request.scope)).toContain(undefined);
  await root.stop();
});

const grouped = (check: object, group: object) => {
  const owner = makeGroup('v2', group);
  return { check: withGroup(apiCheck(check), owner), group: owner };
};

test('scripts of the group go around those of the check', () => {
  const snippets = [snippet(1, 'log in', 'one'), snippet(2, 'tidy', 'two')];
  const { check, group } = grouped(
    { localSetupScript: 'own setup', tearDownSnippetId: 2 },
    { setupSnippetId: 1, localTearDownScript: 'group teardown' },
  );
  expect(runVariablesOf(check, group, sources(snippets), FACTS)).toMatchObject({
    setup: [
      { name: 'group snippet log in', code: 'one' },
      { name: 'setup script', code: 'own setup' },
    ],
    teardown: [
      { name: 'snippet tidy', code: 'two' },
      { name: 'group teardown script', code: 'group teardown' },
    ],
  });
});

test('a script of the group alone is enough, and so is a template of its defaults', () => {
  const script = grouped({}, { localSetupScript: "require('./snippets/a')" });
  const scope = runVariablesOf(
    script.check,
    script.group,
    sources([snippet(1, 'a', 'one')]),
    FACTS,
  );
  expect(scope).toMatchObject({
    setup: [{ name: 'group setup script' }],
    teardown: [],
    snippets: { a: 'one' },
  });
  const headers = [{ key: 'x', value: '{{A}}' }];
  const template = grouped({}, { apiCheckDefaults: { headers } });
  expect(runVariablesOf(template.check, template.group, sources(), FACTS)).toBeDefined();
  const nothing = grouped({}, { environmentVariables: [variable('A', '1')] });
  expect(runVariablesOf(nothing.check, nothing.group, sources(), FACTS)).toBeUndefined();
});

test('variables of whoever asked win over the check, the group and the account, in this order', () => {
  const { check, group } = grouped(
    {
      localSetupScript: '1',
      environmentVariables: [
        variable('C', 'check'),
        variable('D', 'check'),
        variable('E', null, { secret: true }),
      ],
    },
    {
      environmentVariables: [
        variable('B', 'group'),
        variable('C', 'group', { secret: true }),
        variable('D', 'group'),
        variable('E', 'group'),
      ],
    },
  );
  const account = [variable('A', 'account'), variable('B', 'account')];
  const overrides = { variables: [variable('D', 'asked', { secret: true })] };
  const scope = runVariablesOf(check, group, sources([], account), { ...FACTS, overrides });
  expect(scope?.variables).toEqual({
    A: 'account',
    B: 'group',
    C: 'check',
    D: 'asked',
    E: 'group',
  });
  const secrets = runSecretsOf(check, group, sources([], account), overrides);
  expect(secrets?.toSorted()).toEqual(['asked', 'group']);
});

test('the runtime of the group wins over that of the account', () => {
  const { check, group } = grouped({ localSetupScript: '1' }, { runtimeId: '2023.09' });
  expect(runVariablesOf(check, group, sources(), FACTS)?.runtimeId).toBe('2023.09');
});

test('the base URL of the group is a built-in variable, as it is written', () => {
  const url = 'https://{{HOST}}';
  const { check, group } = grouped({ localSetupScript: '1' }, { apiCheckDefaults: { url } });
  expect(runVariablesOf(check, group, sources(), FACTS)?.builtIns).toMatchObject({
    GROUP_BASE_URL: url,
  });
  const without = grouped({ localSetupScript: '1' }, {});
  const scope = runVariablesOf(without.check, without.group, sources(), FACTS);
  expect(scope?.builtIns).not.toHaveProperty('GROUP_BASE_URL');
});

test('public addresses are built-in variables where the operator told them', () => {
  const check = apiCheck({ localSetupScript: '1' });
  const told = { ...sources(), publicIps: { v4: '192.0.2.1', v6: null } };
  const { builtIns = {} } = runVariablesOf(check, undefined, told, FACTS) ?? {};
  expect(builtIns).toMatchObject({ PUBLIC_IP_V4: '192.0.2.1' });
  expect(builtIns).not.toHaveProperty('PUBLIC_IP_V6');
});

test('whoever asked for a run may add built-in variables', () => {
  const check = apiCheck({ request: { ...LEAST, url: '{{ENVIRONMENT_URL}}/' } });
  const overrides = { builtIns: { ENVIRONMENT_URL: 'https://preview.test' } };
  expect(
    runVariablesOf(check, undefined, sources(), { ...FACTS, overrides })?.builtIns,
  ).toMatchObject({
    ENVIRONMENT_URL: 'https://preview.test',
    REGION: 'eu-west-1',
  });
});
