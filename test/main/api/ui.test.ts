import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '#main/api/operations.ts';
import { RENDERER } from '../../../main/platform/builds.js';
import { ensureBuild } from '../../../scripts/installation.js';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  expect(ensureBuild(process.cwd(), RENDERER)).toBe(0);
  api = await startApi();
});
afterAll(() => api.close());

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (path: string, headers: Record<string, string> = asBrowser) =>
  api.call('GET', path, { key: null, headers });

test.each(['/', '/sign-in', '/checks/4711', '/checks/1/results/2', '/incidents', '/nowhere'])(
  'the interface answers a browser at %s, with a strict policy and held by no cache',
  async (path) => {
    const { status, headers, body } = await open(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toContain('<div id="root">');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  },
);

test('the document has no inline script or style, and names no other host', async () => {
  const { body } = await open('/');
  expect(body).not.toMatch(/<style|style=|https?:\/\/|<script(?![^>]*\bsrc=)/);
});

test.each([
  ['/', ['checks-screen']],
  ['/checks/4711', ['check-screen']],
  ['/checks/1/results/2', ['result-screen']],
  ['/checks/new', []],
  ['/alerts', []],
])(
  'the document at %s names the scripts and styles of its screen, which are there',
  async (path, screens) => {
    const body = String((await open(path)).body);
    const links = [...body.matchAll(/<link rel="(?:modulepreload|stylesheet)".* href="([^"]+)">/g)];
    const paths = links.map(([, href = '']) => href);
    expect(new Set(paths).size).toBe(paths.length);
    const named = paths.flatMap((one) => /\/(\w+-screen)-[\w-]+\.js$/.exec(one)?.[1] ?? []);
    expect(named).toEqual(screens);
    expect(paths.some((one) => /\/interface-[\w-]+\.js$/.test(one))).toBe(true);
    for (const one of paths) expect((await open(one)).status).toBe(200);
  },
);

test('styles of a screen, and of the frame around it, come after those of the parts that they change', async () => {
  const body = String((await open('/')).body);
  const links = body.matchAll(/<link rel="stylesheet".* href="\/assets\/([a-z-]+)-[^"]+">/g);
  const styles = [...links].map(([, name]) => name);
  expect(styles).toEqual(['index', 'common', 'daily', 'interface', 'checks-screen']);
});

test('whether the browser is signed in is asked with the document, but not by the page that signs in', async () => {
  const question = '<link rel="preload" as="fetch" crossorigin href="/app/sign-in">';
  expect((await open('/checks/4711')).body).toContain(question);
  expect((await open('/sign-in')).body).not.toContain(question);
});

test('a program that asks for what is not there gets 404 in JSON', async () => {
  for (const accept of ['*/*', 'application/json']) {
    expect((await open('/checks/4711', { accept })).status).toBe(404);
  }
  expect((await api.call('POST', '/checks/4711', { headers: asBrowser })).status).toBe(404);
});

test('where the API and pages of their own are, the interface is not', async () => {
  const prefixes = new Set(OPERATIONS.map(({ path }) => path.split('/')[1] ?? ''));
  // Triggers are called below /checks, of which every other address is one of the interface.
  for (const own of ['', 'checks', 'healthz', 'readyz', 'metrics', 'openapi.json']) {
    prefixes.delete(own);
  }
  for (const prefix of prefixes) {
    const { status, body } = await open(`/${prefix}/nothing/is/here`);
    expect([prefix, status]).toEqual([prefix, 404]);
    expect(JSON.stringify(body)).not.toContain('id=\\"root\\"');
  }
});

test('assets come compressed, for ever, and only those that there are', async () => {
  const { body } = await open('/');
  const [path = ''] = /\/assets\/[\w.-]+\.js/.exec(String(body)) ?? [];
  const programs = new Set<string>();
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await fetch(api.url + path, { headers: { 'accept-encoding': encoding } });
    expect(answer.status).toBe(200);
    const got = answer.headers.get('content-encoding') ?? 'identity';
    expect([got, answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
      encoding,
      'public, max-age=31536000, immutable',
      'accept-encoding',
    ]);
    programs.add(await answer.text());
  }
  const [program, ...others] = programs;
  expect(others).toEqual([]);
  expect(program).toContain('import');
  for (const name of ['nothing.js', '..%2Findex.html', 'index.html']) {
    expect((await open(`/assets/${name}`)).status).toBe(404);
  }
});
