import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compare, sizeOf } from './compare.ts';
import { type Build, readInTurns, record } from './recording.ts';
import { Renames } from './renames.ts';

const USAGE = `usage: record FOLDER [--checkout PATH] [--renames FILE]
       compare OLD NEW [--renames FILE]
       folders --old PATH --new PATH [--renames FILE]
--renames: a JSON object from old words to new ones; give it to \`record\` for the old build only.`;

const OURS = fileURLToPath(new URL('../../', import.meta.url));
const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { checkout: text, renames: text, old: text, new: text },
});
const [verb, one, other] = positionals;
const renames = Renames.read(values.renames);

// Whoever reads the diff may stop at any line.
process.stdout.on('error', () => process.exit());
if (verb === 'record' && one) await recordInto(one);
else if (verb === 'compare' && one && other) await compareFolders(one, other);
else if (verb === 'folders' && values.old && values.new)
  await openEachOther(values.old, values.new);
else {
  console.error(USAGE);
  process.exitCode = 2;
}

async function recordInto(folder: string): Promise<void> {
  const checkout = resolve(values.checkout ?? OURS);
  const { operations, missing } = await record({ checkout, renames }, resolve(folder));
  console.log(`${sizeOf(folder)}, ${operations} operations answered well`);
  for (const name of missing) console.log(`not answered well: ${name}`);
  if (missing.length > 0) process.exitCode = 1;
}

async function compareFolders(old: string, next: string): Promise<void> {
  const diff = await compare(old, next, renames);
  if (diff === '') return console.log(`the same: ${sizeOf(next)}`);
  process.stdout.write(diff);
  process.exitCode = 1;
}

/** Has each build open what the other one made, and then the maker once more. */
async function openEachOther(oldPath: string, newPath: string): Promise<void> {
  const old: Build = { checkout: resolve(oldPath), renames };
  const next: Build = { checkout: resolve(newPath), renames: new Renames() };
  const folder = await mkdtemp(join(tmpdir(), 'wp-folders-'));
  try {
    for (const [maker, ...builds] of [
      ['the old build', old, next, old],
      ['the new build', next, old, next],
    ] as const) {
      await openInTurns(maker, builds, join(folder, maker)).catch((error: Error) => {
        // A build that refuses a folder says why.
        console.log(`folder of ${maker}: ${error.message}`);
        process.exitCode = 1;
      });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function openInTurns(maker: string, builds: readonly Build[], folder: string): Promise<void> {
  const [first = '', ...others] = await readInTurns(builds, folder);
  for (const [turn, reading] of others.entries()) {
    const who = turn === 0 ? 'read by the other build' : 'read by its maker again';
    const diff = await compare(first, reading, new Renames());
    console.log(
      `folder of ${maker}, ${who}: ${diff === '' ? sizeOf(reading) : `differs\n${diff}`}`,
    );
    if (diff !== '') process.exitCode = 1;
  }
}
