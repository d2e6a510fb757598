import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ScriptHttpRequest } from '#shared/run/script-host.ts';
import { createScriptHost } from '#workers/scripts/host.ts';
import { setupTask } from '../fixtures/scripts.ts';

/** What the scripts of a test sent; each is answered as a JSON-RPC server would. */
const sent: ScriptHttpRequest[] = [];
const host = createScriptHost({
  fetch: async (request) => {
    sent.push(request);
    const body = '{"jsonrpc":"2.0","id":1,"result":"0x10"}';
    return { response: { status: 200, statusText: 'OK', headers: {}, body, url: request.url } };
  },
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(() => host.close());

const run = (code: string) => host.run(setupTask(code));

const FORM = `const form = new (require('form-data'))(); form.setBoundary('B');
  form.append('name', 'välue', { header: { 'X-Part': '1' } });
  form.append('file"\\r\\n', Buffer.from('text'), 'a.txt');`;
const FORM_BODY = [
  '--B',
  'Content-Disposition: form-data; name="name"',
  'X-Part: 1',
  '',
  'välue',
  '--B',
  'Content-Disposition: form-data; name="file%22%0D%0A"; filename="a.txt"',
  'Content-Type: application/octet-stream',
  '',
  'text',
  '--B--',
  '',
].join('\r\n');

test.each([
  ['axios', `await require('axios').post('http://t.test/', form)`],
  [
    'axios with the headers of the form',
    `await require('axios').post('http://t.test/', form, { headers: form.getHeaders() })`,
  ],
  [
    'fetch',
    `await fetch('http://t.test/', { method: 'POST', body: form, headers: form.getHeaders() })`,
  ],
])('a form of form-data is sent with %s', async (_way, call) => {
  const { error } = await run(`${FORM} ${call}`);
  expect(error).toBeNull();
  expect(sent).toMatchObject([{ method: 'POST', body: FORM_BODY }]);
  expect(sent[0]?.headers['content-type']).toBe('multipart/form-data; boundary=B');
});

test('a form tells its length in bytes', async () => {
  const { request } = await run(`${FORM} form.getLength((error, length) => {
    request.body = [error, length, form.getLengthSync(), form.hasKnownLength()].join() });
    await null`);
  const bytes = Buffer.byteLength(FORM_BODY);
  expect(request.body).toBe(`,${bytes},${bytes},true`);
});

test.each([
  [`form.append('a', { pipe() {} })`, 'takes texts and bytes, not streams'],
  [`form.append('a', [])`, 'Arrays are not supported'],
  [`form.setBoundary('C')`, 'before the first field'],
])('form-data refuses %s', async (call, message) => {
  const { error } = await run(`${FORM} ${call}`);
  expect(error?.message).toContain(message);
});

test('a provider of ethers asks over HTTP', async () => {
  const { request, error } = await run(`const { JsonRpcProvider } = require('ethers');
    const provider = new JsonRpcProvider('http://t.test/rpc', 1, { staticNetwork: true });
    request.body = await provider.getBlockNumber()`);
  expect(error).toBeNull();
  expect(request.body).toBe('16');
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ method: 'eth_blockNumber' });
});
