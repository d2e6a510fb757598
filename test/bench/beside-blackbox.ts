import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../fixtures/net/servers.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { probed } from './measure.ts';
import { cpuMsOf } from './process-tree.ts';

interface Ports {
  http: number;
  https: number;
  dns: number;
}

/** The same request of both programs: the body of a check, and module and target of a probe. */
const KINDS = {
  API: ({ http }: Ports) => ({
    ...{ segment: 'api', request: { method: 'GET', url: `http://127.0.0.1:${http}/` } },
    probe: `module=http&target=http://127.0.0.1:${http}/`,
  }),
  HTTPS: ({ https }: Ports) => ({
    segment: 'api',
    request: { method: 'GET', url: `https://127.0.0.1:${https}/`, skipSSL: true },
    probe: `module=http&target=https://127.0.0.1:${https}/`,
  }),
  TCP: ({ http }: Ports) => ({
    ...{ segment: 'tcp', request: { hostname: '127.0.0.1', port: http } },
    probe: `module=tcp&target=127.0.0.1:${http}`,
  }),
  DNS: ({ dns }: Ports) => ({
    segment: 'dns',
    request: { query: 'example.com', recordType: 'A', nameServer: '127.0.0.1', port: dns },
    probe: `module=dns&target=127.0.0.1:${dns}`,
  }),
  ICMP: () => ({
    ...{ segment: 'icmp', request: { hostname: '127.0.0.1', pingCount: 1 } },
    probe: 'module=icmp&target=127.0.0.1',
  }),
} as const;

type Kind = ReturnType<(typeof KINDS)[keyof typeof KINDS]>;

const ROUNDS = 3;
/** After which the first runs are over, and each check has its slots. */
const SETTLE_MS = 12_000;
const CREATED_AT_ONCE = 16;
const PERIOD_SECONDS = 10;

/**
 * CPU of a stored run beside a bare probe of Debian's blackbox exporter, of `checks` checks every 10 s and as many
 * probes, in rounds of `seconds` that alternate. Times are medians of milliseconds, of all processes.
 */
export async function besideBlackbox(checks = 1_000, seconds = 20): Promise<object> {
  const folder = await temporaryFolder();
  const targets = await startTargets();
  const blackbox = await startBlackbox(folder.path);
  try {
    const kinds: Record<string, object> = {};
    for (const [name, kindOf] of Object.entries(KINDS)) {
      const dataDir = join(folder.path, name);
      kinds[name] = await compare(kindOf(targets.ports), { dataDir, checks, seconds, blackbox });
      // Long benches are watched.
      console.error(JSON.stringify({ [name]: kinds[name] }));
    }
    return { bench: 'beside-blackbox', checks, seconds, kinds };
  } finally {
    blackbox.stop();
    targets.stop();
    await folder.remove();
  }
}

interface Comparison {
  dataDir: string;
  checks: number;
  seconds: number;
  blackbox: Awaited<ReturnType<typeof startBlackbox>>;
}

async function compare(kind: Kind, { dataDir, checks, seconds, blackbox }: Comparison) {
  const appliance = await startProcess(probed({ dataDir }, join(dataDir, '..', 'probe.json')));
  try {
    const group = await createChecks(appliance, kind, checks);
    const rounds: { run: number; probe: number }[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      await setActive(appliance, group, true);
      await wait(SETTLE_MS);
      const run = await costOfRun(appliance, seconds);
      await setActive(appliance, group, false);
      await wait(1_000);
      rounds.push({ run, probe: await blackbox.costOfProbe(kind.probe, checks, seconds) });
    }
    const median = (values: number[]) =>
      Number(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]?.toFixed(2));
    return {
      runMs: median(rounds.map(({ run }) => run)),
      probeMs: median(rounds.map(({ probe }) => probe)),
      ratio: median(rounds.map(({ run, probe }) => run / probe)),
    };
  } finally {
    await appliance.stop();
  }
}

async function costOfRun(appliance: RunningAppliance, seconds: number) {
  const pid = appliance.process.pid ?? 0;
  const settled = () => runsOf(appliance);
  const [cpu, runs] = [cpuMsOf(pid), await settled()];
  await wait(seconds * 1_000);
  const [spent, made] = [cpuMsOf(pid) - cpu, (await settled()) - runs];
  if (made === 0) throw new Error('No run ended.');
  return spent / made;
}

/** Of all checks since the start. */
async function runsOf(appliance: RunningAppliance): Promise<number> {
  const page = await (await appliance.call('GET', '/metrics')).text();
  return Number(/^watchpost_runs_total\{outcome="settled"\} (\d+)$/m.exec(page)?.[1]);
}

async function createChecks(appliance: RunningAppliance, kind: Kind, checks: number) {
  const made = await answerOf(appliance, 'POST', '/v1/check-groups', { name: 'bench' });
  const groupId = made.id;
  const numbers = Array.from({ length: checks }, (_, n) => n).values();
  const create = async () => {
    for (const n of numbers) {
      await answerOf(appliance, 'POST', `/v1/checks/${kind.segment}`, {
        ...{ name: `check ${n}`, groupId, frequency: 0, frequencyOffset: PERIOD_SECONDS },
        request: kind.request,
      });
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return groupId;
}

async function setActive(appliance: RunningAppliance, groupId: number, activated: boolean) {
  await answerOf(appliance, 'PUT', `/v1/check-groups/${groupId}`, { name: 'bench', activated });
}

async function answerOf(appliance: RunningAppliance, method: string, path: string, body: object) {
  const response = await appliance.call(method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as { id: number };
}

async function startTargets() {
  const program = fileURLToPath(new URL('./all-targets.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ports: JSON.parse(line) as Ports, stop: () => child.kill() };
}

const MODULES = `modules:
  http: { prober: http, http: { preferred_ip_protocol: ip4, tls_config: { insecure_skip_verify: true } } }
  tcp: { prober: tcp, tcp: { preferred_ip_protocol: ip4 } }
  dns: { prober: dns, dns: { query_name: example.com, query_type: A, preferred_ip_protocol: ip4 } }
  icmp: { prober: icmp, icmp: { preferred_ip_protocol: ip4 } }
`;

/** WATCHPOST_BENCH_BLACKBOX names the program where it is not installed. */
async function startBlackbox(folder: string) {
  const config = join(folder, 'blackbox.yml');
  await writeFile(config, MODULES);
  const port = await freePort();
  const program = process.env.WATCHPOST_BENCH_BLACKBOX || 'prometheus-blackbox-exporter';
  const child = spawn(
    program,
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'spawn');
  const agent = new Agent({ keepAlive: true });
  const probe = async (query: string) => {
    const request = get({ host: '127.0.0.1', port, agent, path: `/probe?${query}` });
    const [response] = await once(request, 'response');
    const page = await text(response);
    if (!/^probe_success 1$/m.test(page)) throw new Error(`The probe ${query} failed: ${page}`);
  };
  return {
    stop: () => child.kill(),
    async costOfProbe(query: string, checks: number, seconds: number) {
      const pid = child.pid ?? 0;
      await probe(query);
      const cpu = cpuMsOf(pid);
      const count = (checks / PERIOD_SECONDS) * seconds;
      const startedAt = performance.now();
      const probes: Promise<void>[] = [];
      while (probes.length < count) {
        const due = Math.min(count, ((performance.now() - startedAt) / 1_000 / seconds) * count);
        while (probes.length < due) probes.push(probe(query));
        await wait(5);
      }
      await Promise.all(probes);
      return (cpuMsOf(pid) - cpu) / count;
    },
  };
}
