import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

/** Rounds of killing; the full fifty with WATCHPOST_CRASH_ROUNDS=50. */
const ROUNDS = Number(process.env.WATCHPOST_CRASH_ROUNDS ?? 3);
/** Clients that change their own snippets, each one after another, all at once. */
const WRITERS = 16;
/** Within these a kill comes before, amid and after the folding of a journal, which begins at 1 MiB. */
const LEAST_CHANGES = 20;
const MOST_CHANGES = 500;
const SCRIPT_CHARS = 6_000;
const MOST_KEPT = 8;

const folder = await temporaryFolder();
afterAll(() => folder.remove());

/** What a snippet was said to be, by its id; null: it was deleted. */
type Said = Map<number, string | null>;

/** A client with what it was told, and the change that it was not told of before the kill. */
interface Writer {
  said: Said;
  underWay: { id: number; script: string | null } | null;
}

test(
  `${ROUNDS} kills amid ${WRITERS} writers lose nothing acknowledged, and every start reads on`,
  async () => {
    const writers: Writer[] = Array.from({ length: WRITERS }, () => ({
      said: new Map(),
      underWay: null,
    }));
    for (let round = 0; round < ROUNDS; round += 1) {
      const appliance = await startProcess({ dataDir: folder.path, env: LIMITS });
      await expectKept(appliance, writers);
      const changes = LEAST_CHANGES + Math.floor(Math.random() * (MOST_CHANGES - LEAST_CHANGES));
      await writeUntilKilled(appliance, writers, changes);
    }
    const appliance = await startProcess({ dataDir: folder.path, env: LIMITS });
    await expectKept(appliance, writers);
    expect(await appliance.stop()).toBe(0);
    expectReadable(writers);
  },
  ROUNDS * 60_000,
);

const LIMITS = { WATCHPOST_RATE_LIMIT: '10000000' };

/** Kills the appliance after so many changes were acknowledged, with others under way. */
async function writeUntilKilled(
  appliance: RunningAppliance,
  writers: readonly Writer[],
  changes: number,
): Promise<void> {
  let left = changes;
  let killed: Promise<void> | null = null;
  const write = async (writer: Writer) => {
    while (killed === null) {
      try {
        await change(appliance, writer);
      } catch (error) {
        // A call that the kill cut off: either outcome is right.
        if (killed === null || !(error instanceof TypeError)) throw error;
        return;
      }
      left -= 1;
      if (left === 0) killed = appliance.kill();
    }
  };
  await Promise.all(writers.map(write));
  await killed;
}

/** One change of a snippet of this writer, of a kind by chance. */
async function change(appliance: RunningAppliance, writer: Writer): Promise<void> {
  const kept = [...writer.said].flatMap(([id, script]) => (script === null ? [] : [id]));
  const id = kept[Math.floor(Math.random() * kept.length)];
  const script = `// ${Math.random()} ${'x'.repeat(Math.floor(Math.random() * SCRIPT_CHARS))}`;
  if (id === undefined || (kept.length < MOST_KEPT && Math.random() < 0.5)) {
    // Nobody knows the id of one that is not acknowledged.
    const name = `snippet ${Math.random()}`;
    const created = await said(appliance.call('POST', '/v1/snippets', { name, script }), 201);
    writer.said.set((JSON.parse(created) as { id: number }).id, script);
    return;
  }
  const becomes = kept.length === MOST_KEPT || Math.random() < 0.2 ? null : script;
  writer.underWay = { id, script: becomes };
  const body = { name: `snippet ${Math.random()}`, script };
  const path = `/v1/snippets/${id}`;
  if (becomes === null) await said(appliance.call('DELETE', path), 204);
  else await said(appliance.call('PUT', path, body), 200);
  writer.said.set(id, becomes);
  writer.underWay = null;
}

async function said(asked: Promise<Response>, status: number): Promise<string> {
  const answer = await asked;
  const text = await answer.text();
  expect(answer.status, text).toBe(status);
  return text;
}

/** Whatever was under way may have happened or not, and is then known. */
async function expectKept(appliance: RunningAppliance, writers: readonly Writer[]): Promise<void> {
  for (const writer of writers) {
    const { said, underWay } = writer;
    for (const [id, script] of said) {
      const answer = await appliance.call('GET', `/v1/snippets/${id}`);
      const found = answer.status === 404 ? null : ((await answer.json()) as Snippet).script;
      const allowed = underWay?.id === id ? [script, underWay.script] : [script];
      expect(allowed, `snippet ${id}`).toContain(found);
      said.set(id, found);
    }
    writer.underWay = null;
  }
}

interface Snippet {
  id: string;
  script: string;
}

/** After a stop, the file has everything in the order of its ids, and nothing stands beside it. */
function expectReadable(writers: readonly Writer[]): void {
  const text = readFileSync(join(folder.path, 'snippets.json'), 'utf8');
  const { records } = JSON.parse(text) as { records: Snippet[] };
  const scripts = new Map(records.map(({ id, script }) => [Number(id), script]));
  for (const { said } of writers) {
    for (const [id, script] of said) expect(scripts.get(id) ?? null).toBe(script);
  }
  expect(text).toBe(`${JSON.stringify({ version: 1, records }, null, 2)}\n`);
  expect(readdirSync(folder.path).filter((name) => name.includes('.journal'))).toEqual([]);
}
