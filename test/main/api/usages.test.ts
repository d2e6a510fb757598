import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UsersView } from '#shared/variables/uses.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const post = async (path: string, body: object) =>
  (await api.call('POST', path, { body })).body as { id: string };
const addCheck = (name: string, members: object) =>
  post('/v1/checks/api', { name, request: { method: 'GET', url: 'http://a.test' }, ...members });

async function usersOf(path: string): Promise<[number, string[]]> {
  const { total, users } = (await api.call('GET', `${path}/users`)).body as UsersView;
  return [total, users.map(({ kind, name, keeps }) => [kind, name, keeps].join(' '))];
}

test('a variable is used where its key is named and no other variable of that key is nearer', async () => {
  await post('/v1/variables', { key: 'HOST', value: 'a.test' });
  const own = [{ key: 'HOST', value: 'b.test' }];
  await addCheck('in a URL', { request: { method: 'GET', url: 'http://{{HOST}}/' } });
  await addCheck('in a script', { localSetupScript: 'request.url = process.env.HOST' });
  await addCheck('its own', { localSetupScript: 'process.env.HOST', environmentVariables: own });
  await addCheck('nowhere', {});
  await post('/v2/check-groups', { name: 'a group', localSetupScript: 'process.env.HOST' });
  const nearer = await post('/v2/check-groups', { name: 'its own', environmentVariables: own });
  await addCheck('of its group', { localSetupScript: 'process.env.HOST', groupId: nearer.id });
  await post('/v1/snippets', { name: 'host', script: 'module.exports = process.env.HOST' });
  const found = [
    'check in a URL false',
    'check in a script false',
    'group a group false',
    'snippet host false',
  ];
  expect(await usersOf('/app/variables/HOST')).toEqual([4, found]);
});

test('a snippet is used by whoever names it, which keeps it, and by whoever loads it', async () => {
  const { id } = await post('/v1/snippets', { name: 'sign', script: '1' });
  await addCheck('named', { setupSnippetId: id });
  await post('/v2/check-groups', { name: 'group', tearDownSnippetId: id });
  await addCheck('loads', { localSetupScript: "require('./snippets/sign.js')" });
  await post('/v1/snippets', { name: 'more', script: "require('./snippets/sign')" });
  const found = ['check named true', 'check loads false', 'group group true', 'snippet more false'];
  expect(await usersOf(`/app/snippets/${id}`)).toEqual([4, found]);
});

test('of very many users fifty are named and all are counted', async () => {
  await post('/v1/variables', { key: 'MANY', value: '1' });
  for (let number = 0; number < 51; number++) {
    await addCheck(`${number}`, { localSetupScript: 'process.env.MANY' });
  }
  const [total, users] = await usersOf('/app/variables/MANY');
  expect([total, users.length]).toEqual([51, 50]);
});
