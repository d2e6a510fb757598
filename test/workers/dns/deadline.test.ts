import { describe, expect, test } from 'vitest';
import { askOverTcp } from '#workers/dns/tcp.ts';
import { askOverUdp } from '#workers/dns/udp.ts';
import { Deadline } from '#workers/net/deadline.ts';
import { startMarks } from '#workers/net/dial.ts';
import { JobLog } from '#workers/net/job-log.ts';
import { SYSTEM_NETWORK } from '#workers/net/network.ts';
import { startNameServer } from '../../fixtures/dns/server.ts';

const question = { name: 'www.example.test', recordType: 'A' } as const;

async function expiredDeadline(): Promise<Deadline> {
  const deadline = new Deadline(1);
  await new Promise((resolve) => deadline.enter('DNS', resolve));
  return deadline;
}

describe('a question whose time is over before it is asked', () => {
  test('fails in connecting over TCP', async () => {
    await using server = await startNameServer({});
    const deadline = await expiredDeadline();
    const context = { network: SYSTEM_NETWORK, deadline, deniedRanges: [] };
    const asked = await askOverTcp(question, server, context, startMarks());
    expect(asked.failure?.cause).toBe('TIMEOUT_CONNECT');
    expect(server.queries).toEqual([]);
  });

  test('fails in waiting over UDP', async () => {
    await using server = await startNameServer({});
    const asked = await askOverUdp(question, server, await expiredDeadline(), new JobLog());
    expect(asked.failure?.cause).toBe('TIMEOUT_RESPONSE');
    expect(server.queries).toEqual([]);
  });
});
