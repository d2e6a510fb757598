import { join } from 'node:path';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { inTurns, spreadOf, startTarget } from './measure.ts';

/** Requests under way at once. */
const CREATED_AT_ONCE = 16;
/** Checks are created in so many steps, so that one sees whether the size matters. */
const STEPS = 6;

/**
 * What a change of the configuration costs: creates checks through the API, then edits so many of them, one after
 * another, then some of them 16 at a time, and stops.
 */
export async function configuration(checks = 12_000, edits = 300): Promise<object> {
  const folder = await temporaryFolder();
  const target = await startTarget();
  const appliance = await startProcess({
    dataDir: join(folder.path, 'data'),
    env: { WATCHPOST_RATE_LIMIT: '10000000' },
  });
  try {
    const url = `http://127.0.0.1:${target.port}/`;
    const ids: string[] = [];
    const creations: object[] = [];
    const from = performance.now();
    for (let step = 1; step <= STEPS; step += 1) {
      const count = Math.round((checks * step) / STEPS) - ids.length;
      const createdAt = performance.now();
      ids.push(...(await create(appliance, ids.length, count, url)));
      const seconds = (performance.now() - createdAt) / 1_000;
      creations.push({ checks: ids.length, createdPerSecond: Math.round(count / seconds) });
    }
    const seconds = (performance.now() - from) / 1_000;
    const editMs = spreadOf(await edit(appliance, ids, edits, 1));
    const editTogetherMs = spreadOf(await edit(appliance, ids, edits, CREATED_AT_ONCE));
    const stoppedAt = performance.now();
    await appliance.stop();
    const stopMs = performance.now() - stoppedAt;
    return { bench: 'configuration', creations, seconds, editMs, editTogetherMs, stopMs };
  } finally {
    await appliance.kill();
    target.stop();
    await folder.remove();
  }
}

/** Answers the ids of new checks that run every ten minutes. */
function create(appliance: RunningAppliance, from: number, count: number, url: string) {
  const numbers = Array.from({ length: count }, (_, n) => from + n);
  return inTurns(numbers, CREATED_AT_ONCE, async (n) => {
    const assertions = [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }];
    const answer = await appliance.call('POST', '/v1/checks/api', {
      name: `check ${n}`,
      frequency: 10,
      tags: ['bench', `tag ${n % 20}`],
      request: { method: 'GET', url: `${url}${n}`, assertions },
    });
    if (answer.status !== 201) throw new Error(`Not created: ${await answer.text()}`);
    return ((await answer.json()) as { id: string }).id;
  });
}

/** The time of each edit in ms, of checks from the whole list. */
function edit(appliance: RunningAppliance, ids: readonly string[], count: number, width: number) {
  const step = Math.max(1, Math.floor(ids.length / count));
  const chosen = ids.filter((_, n) => n % step === 0).slice(0, count);
  return inTurns(chosen, width, async (id) => {
    const from = performance.now();
    const answer = await appliance.call('PUT', `/v1/checks/api/${id}`, { name: `edited ${from}` });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`Not edited: ${answer.status}`);
    return performance.now() - from;
  });
}
