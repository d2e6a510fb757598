import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunRequest } from '#shared/runs/protocol.ts';
import { CertificateWatch } from '#workers/net/certificate-watch.ts';
import type { RunRequestOf } from '#workers/net/runner.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { createAuthority, type ServerIdentity } from '../../fixtures/net/certificates.ts';
import { calmNetwork } from '../../fixtures/net/runs.ts';
import { closedPort, startServer, type TestServer } from '../../fixtures/net/servers.ts';
import { passingRun } from '../../fixtures/passing-run.ts';

const HOUR = 3_600_000;

let tls: ServerIdentity;
let server: TestServer;
beforeAll(async () => {
  const authority = await createAuthority();
  tls = await authority.issue([{ type: 'dns', value: 'localhost' }], [-24, 48]);
  server = await startServer(() => undefined, { tls });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs of a browser check that names a host, on a clock of their own. */
function watching(sslCheckDomain: string | null, deniedRanges: string[] = []) {
  const clock = { now: 0 };
  const watch = new CertificateWatch(calmNetwork(), () => clock.now);
  const check = makeCheck('BROWSER', { sslCheckDomain });
  const request = { runId: 'a run', check, deniedRanges } as unknown as RunRequest;
  const run = async (members = {}) => {
    const runner = async () => passingRun({ runId: 'a run', ...members });
    return watch.during(request as RunRequestOf<'BROWSER'>, runner);
  };
  return { clock, check, run };
}

describe('the certificate of the host that a browser check names', () => {
  test.each(['localhost:PORT', ' HTTPS://LocalHost:PORT/login '])('is met: %s', async (named) => {
    const { run } = watching(named.replace('PORT', String(server.port)));
    const { certificate } = await run();
    expect(certificate?.domain).toBe('localhost');
    const hours = ((certificate?.notAfter ?? 0) - Date.now()) / HOUR;
    expect(hours).toBeGreaterThan(47);
    expect(hours).toBeLessThanOrEqual(48);
  });

  test('is asked for once an hour, whatever becomes of the runs', async () => {
    const { clock, run } = watching(`localhost:${server.port}`);
    const before = server.connections;
    const first = await run({ hasErrors: true });
    clock.now = HOUR - 1;
    expect((await run({ hasFailures: true })).certificate).toEqual(first.certificate);
    expect(server.connections - before).toBe(1);
    clock.now = HOUR;
    await run();
    expect(server.connections - before).toBe(2);
  });

  test('is the one seen last while the host does not answer', async () => {
    const gone = await startServer(() => undefined, { tls });
    const { clock, run } = watching(`localhost:${gone.port}`);
    const { certificate } = await run();
    expect(certificate).toBeDefined();
    await gone[Symbol.asyncDispose]();
    clock.now = 2 * HOUR;
    expect((await run()).certificate).toEqual(certificate);
  });

  test('is not asked for where the operator denies the address', async () => {
    const { run } = watching(`localhost:${server.port}`, ['127.0.0.0/8', '::1/128']);
    const before = server.connections;
    expect((await run()).certificate).toBeUndefined();
    expect(server.connections).toBe(before);
  });

  test.each([
    ['nobody listens', async () => `localhost:${await closedPort()}`],
    ['it is no host', async () => '{{HOST}}'],
    ['none is named', async () => null],
    ['an empty one is named', async () => ' '],
  ])('is left out where %s', async (_, named) => {
    const { run } = watching(await named());
    expect(await run()).toEqual(passingRun({ runId: 'a run' }));
  });
});
