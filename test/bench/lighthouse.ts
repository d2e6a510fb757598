import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumOfMachine } from '../fixtures/browser.ts';
import { TEST_KEY, temporaryFolder } from '../fixtures/running-appliance.ts';
import { startUiWorld, type UiWorld } from '../fixtures/ui.ts';

/** It brings 176 MB, which nothing else needs: npx loads it when this bench runs first. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const WANTED = 95;
/** The stream of live events never ends: Lighthouse would wait three times as long for a quiet network. */
const LOADED_MS = 15_000;
const FORM_FACTORS = { phone: [], desk: ['--preset=desktop'] } as const;

interface Report {
  /** How quick the machine was: 1,500 and more is what a phone is made of by being four times as slow. */
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; displayValue?: string }>;
}

/**
 * Scores of home, of a check and of a result by Lighthouse, on the data of the demo: as a phone with a slow network, and as a
 * desk. With each the audits that cost points; `areEnough` says whether performance and accessibility are 95 or more.
 */
export async function lighthouse(): Promise<object> {
  const world = await startUiWorld({}, true);
  try {
    const headers = { cookie: await signIn(world) };
    const pages: Record<string, object> = {};
    const all: number[] = [];
    for (const [name, path] of Object.entries(await pathsOf(world))) {
      for (const [factor, more] of Object.entries(FORM_FACTORS)) {
        const report = await audit(world.appliance.url + path, headers, more);
        const scores = scoresOf(report);
        all.push(scores.performance ?? 0, scores.accessibility ?? 0);
        const { benchmarkIndex } = report.environment;
        const page = { ...scores, benchmarkIndex, times: timesOf(report), lost: lostIn(report) };
        pages[`${name}, ${factor}`] = page;
        // Long benches are watched.
        console.error(name, factor, JSON.stringify(page));
      }
    }
    return { bench: 'lighthouse', pages, areEnough: Math.min(...all) >= WANTED };
  } finally {
    await world.close();
  }
}

async function signIn({ appliance }: UiWorld): Promise<string> {
  const response = await fetch(`${appliance.url}/app/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: TEST_KEY }),
  });
  if (!response.ok) throw new Error(`Not signed in: ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function pathsOf({ appliance }: UiWorld): Promise<Record<string, string>> {
  const json = async <T>(path: string) => (await (await appliance.call('GET', path)).json()) as T;
  const checks = await json<{ id: string; name: string }[]>('/v1/checks?limit=100');
  const id = checks.find(({ name }) => name === 'Checkout')?.id;
  const { entries } = await json<{ entries: { id: string }[] }>(`/v2/check-results/${id}?limit=1`);
  return { home: '/', check: `/checks/${id}`, result: `/checks/${id}/results/${entries[0]?.id}` };
}

async function audit(url: string, headers: object, more: readonly string[]): Promise<Report> {
  const { path, args } = await chromiumOfMachine();
  const folder = await temporaryFolder();
  try {
    const report = join(folder.path, 'report.json');
    await promisify(execFile)(
      'npx',
      [
        ...['--yes', LIGHTHOUSE, url, '--quiet', '--output=json', `--output-path=${report}`],
        `--chrome-flags=${['--headless=new', ...args].join(' ')}`,
        `--extra-headers=${JSON.stringify(headers)}`,
        '--only-categories=performance,accessibility,best-practices',
        `--max-wait-for-load=${LOADED_MS}`,
        ...more,
      ],
      { env: { ...process.env, CHROME_PATH: path } },
    );
    return JSON.parse(await readFile(report, 'utf8')) as Report;
  } finally {
    await folder.remove();
  }
}

function scoresOf({ categories }: Report): Record<string, number> {
  return Object.fromEntries(
    Object.entries(categories).map(([name, { score }]) => [name, Math.round(100 * score)]),
  );
}

const TIMES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
  'cumulative-layout-shift',
];

function timesOf({ audits }: Report): Record<string, string | undefined> {
  return Object.fromEntries(TIMES.map((id) => [id, audits[id]?.displayValue]));
}

/** What is not as it should be, of whatever counts. */
function lostIn({ categories, audits }: Report): string[] {
  return Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => id);
}
