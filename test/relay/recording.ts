import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type RunningAppliance,
  startProcess,
  TEST_KEY,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { Driver } from './driver.ts';
import { Normaliser, withoutDescriptions } from './normaliser.ts';
import { driveRefusals, operationsOf, type ServedDocument } from './refusals.ts';
import type { Renames } from './renames.ts';
import { driveSession } from './session.ts';
import { World } from './world.ts';

/** A build to be recorded. */
export interface Build {
  /** The path of its folder. */
  checkout: string;
  renames: Renames;
}

/** What a recording covered. */
export interface Recorded {
  calls: number;
  operations: number;
  /** Operations of the served document that were not answered well once. */
  missing: string[];
  driver: Driver;
}

/**
 * Records what a build does: a session over HTTP with a new data folder, and what it leaves behind.
 *
 * @param folder is emptied first
 */
export async function record(build: Build, folder: string): Promise<Recorded> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = await temporaryFolder();
  try {
    return await recordWith(data.path, build, folder);
  } finally {
    await data.remove();
  }
}

async function recordWith(dataDir: string, build: Build, folder: string): Promise<Recorded> {
  await using world = await World.start();
  const normaliser = new Normaliser(Date.now());
  world.nameIn(normaliser);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const driven = await whileOpen({ dataDir, build, world, normaliser }, async (driver) => {
    const document: ServedDocument = JSON.parse(await driver.text('/openapi.json'));
    await driveSession(driver, world);
    await driveRefusals(driver, document);
    write('metrics.txt', metricNames(await driver.text('/metrics')));
    return { driver, document };
  });
  const { driver, document } = driven;
  write('session.txt', driver.lines.join('\n'));
  write('openapi.json', `${JSON.stringify(withoutDescriptions(document), null, 1)}\n`);
  write('deliveries.txt', world.deliveries(normaliser));
  write('folder.txt', `${readdirSync(dataDir).toSorted().join('\n')}\n`);
  for (const name of readdirSync(dataDir).filter((file) => file.endsWith('.json'))) {
    write(`data-${name}`, normalisedFile(join(dataDir, name), normaliser));
  }
  write('schema.sql', schemaOf(join(dataDir, 'history.db')));
  cpSync(join(build.checkout, 'docs/settings.md'), join(folder, 'settings.md'));
  const { missing, operations } = coverage(driver, document);
  return { driver, calls: driver.calls, operations, missing };
}

interface Opening {
  dataDir: string;
  build: Build;
  world: World;
  normaliser: Normaliser;
}

/** Starts a build on a data folder, has something done with it, and stops it with SIGTERM. */
async function whileOpen<T>(
  { dataDir, build, world, normaliser }: Opening,
  act: (driver: Driver) => Promise<T>,
): Promise<T> {
  const { checkout, renames } = build;
  const env = Object.fromEntries(
    Object.entries(world.settings).map(([name, value]) => [renames.toOld(name), value]),
  );
  const appliance: RunningAppliance = await startProcess({ dataDir, env, checkout });
  try {
    normaliser.namePort(Number(new URL(appliance.url).port), 'the appliance');
    const { adminToken } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
    const tokens = { key: TEST_KEY, admin: adminToken as string };
    const driver = new Driver(appliance.url, tokens, normaliser, renames);
    const result = await act(driver);
    driver.close();
    const code = await appliance.stop();
    if (code !== 0) throw new Error(`The appliance of ${checkout} ended with ${code}`);
    return result;
  } finally {
    await appliance.kill();
  }
}

/**
 * Makes a data folder with the first build, has all builds read it one after another, and writes what
 * each of them answered.
 *
 * @returns a folder for each turn
 */
export async function readInTurns(builds: readonly Build[], folder: string): Promise<string[]> {
  const [maker] = builds;
  if (maker === undefined) throw new Error('There is no build to make a folder with');
  const data = await temporaryFolder();
  await using world = await World.start();
  const normaliser = new Normaliser(Date.now());
  world.nameIn(normaliser);
  try {
    const made = { dataDir: data.path, world, normaliser };
    const reads = await whileOpen({ ...made, build: maker }, async (driver) => {
      await driveSession(driver, world);
      return driver.reads;
    });
    const readings: string[] = [];
    for (const [turn, build] of builds.entries()) {
      const lines = await whileOpen({ ...made, build }, (driver) => readAgain(driver, reads));
      const reading = join(folder, String(turn));
      mkdirSync(reading, { recursive: true });
      writeFileSync(join(reading, 'session.txt'), build.renames.toNew(lines.join('\n')));
      readings.push(reading);
    }
    return readings;
  } finally {
    await data.remove();
  }
}

async function readAgain(driver: Driver, reads: Driver['reads']): Promise<string[]> {
  const paths = new Map(reads.map((read) => [`${read.path} ${read.as}`, read]));
  await driver.call('GET /v1/accounts');
  for (const { path, as } of paths.values()) {
    if (path !== '/metrics') await driver.call(`GET ${path}`, { as });
  }
  return driver.lines;
}

/** Which operations of the served document the recording has a good answer of. */
function coverage(driver: Driver, document: ServedDocument) {
  const operations = operationsOf(document);
  const missing = [...operations].filter(([name, { responses }]) => {
    const good = Object.keys(responses).filter((status) => status < '400');
    return !good.some((status) => driver.statuses.get(name)?.has(Number(status)));
  });
  return { operations: operations.size - missing.length, missing: missing.map(([name]) => name) };
}

function metricNames(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('# TYPE '));
  return `${lines.toSorted().join('\n')}\n`;
}

function normalisedFile(path: string, normaliser: Normaliser): string {
  const text = readFileSync(path, 'utf8');
  return `${JSON.stringify(normaliser.json(JSON.parse(text)), null, 2)}\n`;
}

function schemaOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('select sql from sqlite_master order by type, name').all();
  database.close();
  return `${rows.flatMap(({ sql }) => (sql === null ? [] : [`${sql};`])).join('\n')}\n`;
}
