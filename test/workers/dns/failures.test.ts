import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Answer, Packet } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import type { CheckOf } from '#shared/checks/check.ts';
import { at, type RunOptions, runDnsCheck } from '../../fixtures/dns/run-dns.ts';
import { type Behaviour, startNameServer } from '../../fixtures/dns/server.ts';
import { calmNetwork } from '../../fixtures/net/runs.ts';

const name = 'www.example.test';
const answers: Answer[] = [{ type: 'A', name, ttl: 300, data: '192.0.2.7' }];

function ask(request: Partial<CheckOf<'DNS'>['request']>, options: RunOptions = {}) {
  return runDnsCheck({ query: name, recordType: 'A', ...request }, options);
}

/** A loopback port on which nothing listens over UDP. */
async function closedPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

const raw = (bytes: (query: Buffer) => Buffer): Behaviour => ({ kind: 'raw', bytes });
const otherId = (query: Buffer) => {
  const reply = Buffer.from(query);
  reply.writeUInt16BE((query.readUInt16BE(0) + 1) & 0xffff, 0);
  reply[2] = 0x81;
  return reply;
};
/** Says that a record follows, which does not. */
const cutShort = (query: Buffer) => {
  const reply = Buffer.from(query);
  reply[2] = 0x81;
  reply.writeUInt16BE(1, 6);
  return reply;
};

describe.concurrent('a DNS check that gets no answer', () => {
  test.each<[string, Behaviour, 'UDP' | 'TCP', string]>([
    ['times out when the server is silent', { kind: 'drop' }, 'UDP', 'TIMEOUT_RESPONSE'],
    ['times out when the server is silent', { kind: 'drop' }, 'TCP', 'TIMEOUT_RESPONSE'],
    ['ignores an answer with another id', raw(otherId), 'UDP', 'TIMEOUT_RESPONSE'],
    ['ignores its own question', raw((query) => query), 'UDP', 'TIMEOUT_RESPONSE'],
    ['refuses an answer with another id', raw(otherId), 'TCP', 'PROTOCOL_ERROR'],
    ['refuses what is no DNS', raw(() => Buffer.from('hello')), 'UDP', 'PROTOCOL_ERROR'],
    ['refuses what is no DNS', raw(() => Buffer.from('hello')), 'TCP', 'PROTOCOL_ERROR'],
    ['refuses an answer that is cut short', raw(cutShort), 'UDP', 'PROTOCOL_ERROR'],
    ['refuses an empty message', raw(() => Buffer.alloc(0)), 'TCP', 'PROTOCOL_ERROR'],
    ['sees the server hang up', { kind: 'hang up' }, 'TCP', 'CONNECTION_RESET'],
  ])('%s (%o over %s)', async (_, behaviour, protocol, cause) => {
    await using server = await startNameServer({ [name]: behaviour });
    const timeoutMs = cause === 'TIMEOUT_RESPONSE' ? 1_500 : 10_000;
    const run = await ask({ protocol, ...at(server) }, { timeoutMs });
    expect(run).toMatchObject({ hasFailures: true, hasErrors: false, failure: { cause } });
    expect(run.dns).toMatchObject({
      ...{ response: null, assertions: [] },
      requestError: run.failure?.message,
      nameServerInfo: { port: server.port },
    });
    expect(run.dns.jobLog.request.at(-1)).toMatchObject({
      level: 'ERROR',
      msg: run.failure?.message,
    });
  });

  test.each(['UDP', 'TCP'] as const)('sees a port refused over %s', async (protocol) => {
    const port = await closedPort();
    const run = await ask({ protocol, nameServer: '127.0.0.1', port });
    expect(run.failure?.cause).toBe('CONNECTION_REFUSED');
  });

  test('cannot ask a name server whose name does not resolve', async () => {
    await using resolver = await startNameServer({});
    const network = calmNetwork({ nameServers: [`127.0.0.1:${resolver.port}`] });
    const run = await ask({ nameServer: 'ns.example.test' }, { network });
    expect(run.failure?.cause).toBe('DNS_FAILURE');
    expect(run.dns.nameServerInfo).toBeNull();
  });

  test.each([
    ['a name that cannot be asked', { query: 'two..dots' }],
    ['a template left in the name', { query: '{{HOST}}.test' }],
    ['a port that does not exist', { nameServer: 'localhost:70000' }],
  ])('does not try %s', async (_, request) => {
    const run = await ask({ nameServer: '127.0.0.1', ...request });
    expect(run.failure?.cause).toBe('INVALID_TARGET');
  });

  test.each(['UDP', 'TCP'] as const)('does not ask a denied address over %s', async (protocol) => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } });
    const run = await ask({ protocol, ...at(server) }, { deniedRanges: ['127.0.0.0/8'] });
    expect(run).toMatchObject({ hasFailures: true, failure: { cause: 'DENIED_TARGET' } });
    expect(server.queries).toEqual([]);
  });

  test('ends within its time whatever the server does', async () => {
    await using server = await startNameServer({ [name]: { kind: 'drop' } });
    const run = await ask(at(server), { timeoutMs: 200 });
    expect(run.stoppedAt - run.startedAt).toBeGreaterThanOrEqual(195);
    expect(run.responseTime).toBeGreaterThanOrEqual(195);
  });
});

describe('a DNS check over UDP', () => {
  test('asks again when the first question gets lost, and counts the whole time', async () => {
    await using server = await startNameServer({ [name]: { kind: 'late', times: 1, answers } });
    const run = await ask(at(server));
    expect(run.failure).toBeNull();
    expect(server.queries).toHaveLength(2);
    expect(new Set(server.queries.map(({ id }) => id)).size).toBe(1);
    expect(run.responseTime).toBeGreaterThanOrEqual(995);
  });

  test('takes the right answer from among forged ones', async () => {
    const forged = (query: Packet): Packet => ({
      type: 'response',
      answers: [{ type: 'A', name, data: '198.51.100.66' }],
      ...query,
      flags: 0,
    });
    const strangers = (query: Packet): Packet[] => [
      { ...forged(query), type: 'response', id: ((query.id ?? 0) + 1) & 0xffff },
      { ...forged(query), type: 'response', questions: [{ type: 'A', name: 'evil.test' }] },
      { ...forged(query), type: 'response', questions: [{ type: 'MX', name }] },
      {
        ...forged(query),
        type: 'response',
        questions: [...(query.questions ?? []), { type: 'MX', name }],
      },
      { ...forged(query), type: 'response', questions: [] },
      { ...forged(query), type: 'query' },
    ];
    await using server = await startNameServer({ [name]: { kind: 'forged', strangers, answers } });
    const run = await ask(at(server));
    expect(run.dns.response?.answer).toBe(`${name}. 300 IN A 192.0.2.7`);
    expect(run.dns.jobLog.request.filter(({ level }) => level === 'WARN')).toHaveLength(6);
  });

  test('never hears an answer from another port', async () => {
    await using server = await startNameServer({ [name]: { kind: 'drop' } });
    const stranger = createSocket('udp4');
    const pending = ask(at(server), { timeoutMs: 2_000 });
    await expect.poll(() => server.queries).toHaveLength(1);
    stranger.send(Buffer.from('hello'), server.queries[0]?.sourcePort ?? 0, '127.0.0.1');
    const run = await pending;
    stranger.close();
    expect(run.failure?.cause).toBe('TIMEOUT_RESPONSE');
  });
});

describe('a DNS check without a name server', () => {
  const listed = ({ address, port }: { address: string; port: number }) => `${address}:${port}`;

  test("asks the machine's own", async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } });
    const run = await ask({}, { listServers: () => [listed(server)] });
    expect(run.failure).toBeNull();
    expect(run.dns.request).toMatchObject({ nameServer: null, port: null });
    expect(run.dns.nameServerInfo).toMatchObject({ host: '127.0.0.1', port: server.port });
  });

  test("may ask the machine's own even in denied ranges", async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } });
    const listServers = () => [listed(server)];
    const run = await ask({}, { listServers, deniedRanges: ['127.0.0.0/8'] });
    expect(run.failure).toBeNull();
  });

  test('asks the next when one fails, and says so', async () => {
    await using silent = await startNameServer({ [name]: { kind: 'drop' } });
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } }, '::1');
    const refusing = `127.0.0.1:${await closedPort()}`;
    const listServers = () => [refusing, listed(silent), `[::1]:${server.port}`];
    const run = await ask({}, { listServers, timeoutMs: 4_000 });
    expect(run.failure).toBeNull();
    expect(run.dns.nameServerInfo).toMatchObject({ host: '::1', port: server.port });
    const warnings = run.dns.jobLog.request.filter(({ level }) => level === 'WARN');
    expect(warnings.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('refused'),
      expect.stringMatching(/^Timed out after \d+ ms/),
    ]);
    expect(run.responseTime).toBeGreaterThanOrEqual(400);
  });

  test('takes an error for an answer', async () => {
    await using first = await startNameServer({ [name]: { kind: 'code', status: 2 } });
    await using second = await startNameServer({ [name]: { kind: 'answer', answers } });
    const run = await ask({}, { listServers: () => [listed(first), listed(second)] });
    expect(run.dns.response?.returnCode).toBe('SERVFAIL');
    expect(second.queries).toEqual([]);
  });

  test('shows the last failure when all fail', async () => {
    const ports = [await closedPort(), await closedPort()];
    const run = await ask({}, { listServers: () => ports.map((port) => `127.0.0.1:${port}`) });
    expect(run.failure?.cause).toBe('CONNECTION_REFUSED');
    expect(run.failure?.message).toContain(`:${ports[1]}`);
  });

  test('blames nobody when the machine has none', async () => {
    const run = await ask({}, { listServers: () => [] });
    expect(run).toMatchObject({
      ...{ hasFailures: false, hasErrors: true },
      failure: { cause: 'INTERNAL' },
    });
  });
});

describe('a DNS check with a name server', () => {
  test('asks nobody else when that fails', async () => {
    await using other = await startNameServer({ [name]: { kind: 'answer', answers } });
    const listServers = () => [`127.0.0.1:${other.port}`];
    const run = await ask({ nameServer: '127.0.0.1', port: await closedPort() }, { listServers });
    expect(run.failure?.cause).toBe('CONNECTION_REFUSED');
    expect(other.queries).toEqual([]);
  });
});
