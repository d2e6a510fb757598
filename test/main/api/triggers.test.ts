import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMutex } from '#main/platform/mutex.ts';
import { CheckSessions } from '#main/services/check-sessions.ts';
import { Triggers } from '#main/services/triggers.ts';
import { StoreError } from '#main/store/store-error.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { FakeSessions } from '../../fixtures/fake-sessions.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

let api: Harness;
const check = makeCheck('API', { name: 'Shop' });
beforeEach(async () => {
  api = await startApi();
  await api.configuration.checks.put(check);
  await api.configuration.groups.put(makeGroup('v2', {}, 4));
});
afterEach(() => api.close());

const message = ({ body }: Answer) => (body as { message: string }).message;
const OF_CHECK = `/v1/triggers/checks/${check.id}`;
const OF_GROUP = '/v1/triggers/check-groups/4';
const tokenOf = ({ body }: Answer) => (body as { token: string }).token;

describe.each<[string, string, object, string]>([
  ['a check', OF_CHECK, { checkId: check.id }, 'This check has no trigger'],
  ['a check group', OF_GROUP, { groupId: 4 }, 'This check group has no trigger'],
])('the trigger of %s', (_case, path, target, none) => {
  test('is made once, read and ended', async () => {
    const missing = await api.call('GET', path);
    expect([missing.status, message(missing)]).toEqual([404, none]);
    const made = await api.call('POST', path);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: 1,
      token: expect.stringMatching(/^[\w-]{12}$/),
      created_at: new Date(NOW).toISOString(),
      called_at: null,
      updated_at: null,
      ...target,
    });
    const again = await api.call('POST', path);
    expect([again.status, again.body]).toEqual([201, made.body]);
    expect((await api.call('GET', path)).body).toEqual(made.body);
    expect((await api.call('DELETE', path)).status).toBe(204);
    expect((await api.call('DELETE', path)).status).toBe(404);
  });

  test('has another token and id each time it is made', async () => {
    const first = await api.call('POST', path);
    await api.call('DELETE', path);
    const second = await api.call('POST', path);
    expect(second.body).toMatchObject({ id: 2 });
    expect(tokenOf(second)).not.toBe(tokenOf(first));
  });

  test('is made once, also by many at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.call('POST', path)));
    expect(new Set(answers.map(tokenOf)).size).toBe(1);
    expect(api.configuration.triggers.size).toBe(1);
  });

  test('cannot be made while the store keeps nothing', async () => {
    api.configuration.triggers.failure = new StoreError('FULL', 'no room');
    expect((await api.call('POST', path)).status).toBe(503);
    expect(api.configuration.triggers.size).toBe(0);
  });
});

test.each(['GET', 'POST', 'DELETE'])('%s for what does not exist: 404', async (method) => {
  const id = randomUUID();
  const ofCheck = await api.call(method, `/v1/triggers/checks/${id}`);
  expect([ofCheck.status, message(ofCheck)]).toEqual([404, `No check has the id ${id}`]);
  const ofGroup = await api.call(method, '/v1/triggers/check-groups/5');
  expect([ofGroup.status, message(ofGroup)]).toEqual([404, 'No check group has the id 5']);
});

describe('triggers whose target is gone', () => {
  const orphan = { id: '1', token: 'x', target: { groupId: 9 }, created_at: '', called_at: null };
  const sweep = (configuration: MemoryConfiguration, error: (said: unknown) => void) => {
    const clock = new SimulatedClock(NOW);
    const sessions = new FakeSessions(clock);
    const log = { error: (_members: unknown, said?: unknown) => error(said) };
    const history = new MemoryHistory();
    const parts = { configuration, history, clock, mutex: createMutex(), sessions, log };
    new Triggers(parts, new CheckSessions(parts)).endWithTargets();
  };

  test('end at the start', async () => {
    const configuration = new MemoryConfiguration();
    await configuration.triggers.put(orphan);
    const ended = Promise.withResolvers<void>();
    configuration.triggers.subscribe(() => ended.resolve());
    sweep(configuration, ended.reject);
    await ended.promise;
    expect(configuration.triggers.size).toBe(0);
  });

  test('are told to the operator where they cannot be ended', async () => {
    const configuration = new MemoryConfiguration();
    await configuration.triggers.put(orphan);
    configuration.triggers.failure = new StoreError('FULL', 'no room');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    sweep(configuration, resolve);
    expect(await promise).toBe(
      'A trigger of what was deleted is still kept; the next start ends it.',
    );
  });
});

describe('a trigger ends with what it runs', () => {
  test.each([
    ['check', OF_CHECK, `/v1/checks/${check.id}`],
    ['check group', OF_GROUP, '/v1/check-groups/4'],
  ])('%s', async (_case, path, resource) => {
    await api.call('POST', path);
    const ended = Promise.withResolvers<void>();
    api.configuration.triggers.subscribe(({ kind }) => kind === 'delete' && ended.resolve());
    expect((await api.call('DELETE', resource)).status).toBe(204);
    await ended.promise;
    expect(api.configuration.triggers.size).toBe(0);
  });

  test('a check that is deleted while its trigger is being made leaves none', async () => {
    const { triggers } = api.configuration;
    const put = triggers.put.bind(triggers);
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    triggers.put = async (trigger) => {
      entered.resolve();
      await gate.promise;
      await put(trigger);
    };
    triggers.subscribe(({ kind }) => kind === 'delete' && ended.resolve());
    const made = api.call('POST', OF_CHECK);
    await entered.promise;
    expect((await api.call('DELETE', `/v1/checks/${check.id}`)).status).toBe(204);
    gate.resolve();
    expect((await made).status).toBe(201);
    await ended.promise;
    expect(triggers.size).toBe(0);
  });

  test('another trigger stays', async () => {
    await api.call('POST', OF_CHECK);
    await api.call('POST', OF_GROUP);
    const ended = Promise.withResolvers<void>();
    api.configuration.triggers.subscribe(({ kind }) => kind === 'delete' && ended.resolve());
    await api.call('DELETE', `/v1/checks/${check.id}`);
    await ended.promise;
    expect((await api.call('GET', OF_GROUP)).status).toBe(200);
  });
});
