import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findInHosts, readHostsFile } from '#workers/net/hosts-file.ts';
import { resolveHost } from '#workers/net/resolve.ts';
import { startNameServer } from '../../fixtures/dns/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'watchpost-hosts-'));
const hostsFile = join(folder, 'hosts');
await writeFile(hostsFile, '# comment\n10.1.2.3\tdb DB.Internal # 10.9.9.9 db\n::5 db\nbad\n');
afterAll(() => rm(folder, { recursive: true }));

const options = { timeoutMs: 2_000, hostsFile };

describe('resolving without the network', () => {
  test.each([
    ['127.0.0.1', 'IPv4', '127.0.0.1'],
    ['::1', 'IPv6', '::1'],
    ['[2001:db8::1]', 'IPv6', '2001:db8::1'],
    ['localhost', 'IPv4', '127.0.0.1'],
    ['LocalHost.', 'IPv6', '::1'],
    ['app.localhost', 'IPv4', '127.0.0.1'],
    ['0x7f.1', 'IPv4', '127.0.0.1'],
    ['db', 'IPv4', '10.1.2.3'],
    ['db.INTERNAL.', 'IPv4', '10.1.2.3'],
    ['db', 'IPv6', '::5'],
  ] as const)('%s over %s is %s', async (host, family, address) => {
    expect(await resolveHost(host, family, options)).toEqual({ address, family });
  });

  test.each([
    ['127.0.0.1', 'IPv6', '127.0.0.1 is not an IPv6 address'],
    ['[::1]', 'IPv4', '::1 is not an IPv4 address'],
    ['2130706433', 'IPv6', '127.0.0.1 is not an IPv6 address'],
    ['', 'IPv4', ' is not a host name'],
    ['a b', 'IPv4', 'a b is not a host name'],
    ['{{HOST}}', 'IPv4', '{{HOST}} is not a host name'],
    ['example.com:80', 'IPv4', 'example.com:80 is not a host name'],
    ['a..b', 'IPv4', null],
  ] as const)('%s over %s is an invalid target', async (host, family, message) => {
    const { failure } = await resolveHost(host, family, { ...options, timeoutMs: 50 });
    if (message === null) expect(failure).toBeDefined();
    else expect(failure).toMatchObject({ cause: 'INVALID_TARGET', message });
  });
});

describe('resolving through name servers', () => {
  test('takes an address of the family asked for, through aliases', async () => {
    const alias = { type: 'CNAME', name: 'www.test', ttl: 1, data: 'real.test' } as const;
    await using server = await startNameServer({
      'www.test': {
        kind: 'answer',
        answers: [alias, { type: 'AAAA', name: 'real.test', ttl: 1, data: '2001:db8::7' }],
      },
    });
    const nameServers = [`127.0.0.1:${server.port}`];
    expect(await resolveHost('www.test', 'IPv6', { ...options, nameServers })).toEqual({
      address: '2001:db8::7',
      family: 'IPv6',
    });
    expect(server.queries.map(({ name, type }) => [name, type])).toEqual([['www.test', 'AAAA']]);
  });

  test('asks for the ASCII form of an international name', async () => {
    await using server = await startNameServer({});
    const nameServers = [`127.0.0.1:${server.port}`];
    await resolveHost('bücher.test', 'IPv4', { ...options, nameServers });
    expect(server.queries[0]?.name).toBe('xn--bcher-kva.test');
  });

  test.each([
    ['ENOTFOUND', { kind: 'code', status: 3 }],
    ['ESERVFAIL', { kind: 'code', status: 2 }],
    ['EREFUSED', { kind: 'code', status: 5 }],
    ['ENODATA', { kind: 'answer', answers: [] }],
  ] as const)('fails with %s in the message', async (code, behaviour) => {
    await using server = await startNameServer({ 'x.test': behaviour as never });
    const nameServers = [`127.0.0.1:${server.port}`];
    const { failure } = await resolveHost('x.test', 'IPv4', { ...options, nameServers });
    expect(failure).toEqual({
      cause: 'DNS_FAILURE',
      code,
      syscall: 'queryA',
      hostname: 'x.test',
      message: `The name x.test does not resolve to an IPv4 address (${code})`,
    });
  });

  test('runs out of time', async () => {
    await using server = await startNameServer({ 'x.test': { kind: 'drop' } });
    const nameServers = [`127.0.0.1:${server.port}`];
    const { failure } = await resolveHost('x.test', 'IPv4', {
      ...options,
      nameServers,
      timeoutMs: 40,
    });
    expect(failure).toMatchObject({ cause: 'TIMEOUT_DNS', code: 'SOCKET_TIMEOUT' });
  });

  test('runs side by side: one slow name holds nobody up', async () => {
    await using server = await startNameServer({
      'fast.test': {
        kind: 'answer',
        answers: [{ type: 'A', name: 'fast.test', ttl: 1, data: '10.0.0.1' }],
      },
      'slow.test': { kind: 'drop' },
    });
    const nameServers = [`127.0.0.1:${server.port}`];
    let slowEnded = 0;
    const slow = Array.from({ length: 20 }, () =>
      resolveHost('slow.test', 'IPv4', { ...options, nameServers, timeoutMs: 4_000 }).finally(
        () => slowEnded++,
      ),
    );
    const fast = await resolveHost('fast.test', 'IPv4', { ...options, nameServers });
    expect(fast).toMatchObject({ address: '10.0.0.1' });
    expect(slowEnded).toBe(0);
    await Promise.all(slow);
  });
});

describe('the hosts file', () => {
  test('that is not there holds no names', () => {
    expect(readHostsFile(join(folder, 'none'))).toBe('');
  });

  test('that is a folder is a fault of the machine', () => {
    expect(() => readHostsFile(folder)).toThrow('cannot be read');
  });

  test.each([
    ['a', 4, '1.1.1.1'],
    ['b', 4, '1.1.1.1'],
    ['c', 4, null],
    ['a', 6, 'fe80::1'],
    ['first', 4, '2.2.2.2'],
  ] as const)('gives %s over IPv%i as %s', (name, version, address) => {
    const text = '\t1.1.1.1  a B\r\n#3.3.3.3 c\nfe80::1 a\n2.2.2.2 first\n4.4.4.4 first\n';
    expect(findInHosts(text, name, version)).toBe(address);
  });
});
