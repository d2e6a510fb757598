import type { ScriptTask } from '#shared/sandbox/script.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../fixtures/scripts.ts';

const TEN_LINES = `const { createHmac, randomUUID } = require('crypto');
const id = randomUUID();
const stamp = new Date().toISOString();
const body = { id, stamp, greeting: process.env.GREETING };
request.body = JSON.stringify(body);
request.headers['x-request-id'] = id;
request.headers['x-signature'] = createHmac('sha256', 'key').update(request.body).digest('hex');
request.url += '?at=' + encodeURIComponent(stamp);
process.env.TOKEN = Buffer.from(id).toString('base64');
console.log('prepared', id);`;

const HOSTS = 2;
const AT_ONCE = 4;

/**
 * How many setup scripts of ten lines two hosts run a second: `runs` at most, within `seconds`.
 * Throws when one of them fails.
 */
export async function scripts(runs = 10_000, seconds = 10): Promise<object> {
  const hosts = Array.from({ length: HOSTS }, () => createScriptHost({ fetch: noFetch }));
  const task = setupTask(TEN_LINES);
  await Promise.all(hosts.map((host) => host.run(task)));
  const from = performance.now();
  const until = from + seconds * 1_000;
  const durations: number[] = [];
  const work = async (host: { run(task: ScriptTask): Promise<{ error: object | null }> }) => {
    while (durations.length < runs && performance.now() < until) {
      const began = performance.now();
      const { error } = await host.run(task);
      if (error) throw new Error(`A script of the bench failed: ${JSON.stringify(error)}`);
      durations.push(performance.now() - began);
    }
  };
  await Promise.all(hosts.flatMap((host) => Array.from({ length: AT_ONCE }, () => work(host))));
  const elapsedMs = performance.now() - from;
  await Promise.all(hosts.map((host) => host.close()));
  durations.sort((a, b) => a - b);
  const at = (part: number) => Number(durations[Math.floor(durations.length * part)]?.toFixed(2));
  return {
    bench: 'scripts',
    hosts: HOSTS,
    runs: durations.length,
    runsPerSecond: Math.round((durations.length / elapsedMs) * 1_000),
    durationMs: { p50: at(0.5), p99: at(0.99) },
  };
}
