import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMPARISONS } from '#shared/checks/blocks.ts';
import { DNS_RECORD_TYPES } from '#shared/checks/dns.ts';
import { CHECK_TYPES, HEARTBEAT_STATES, RUNTIME_IDS } from '#shared/checks/enums.ts';
import { CHANNEL_TYPES, WEBHOOK_TYPES } from '#shared/notifications/config.ts';
import { NOTICE_VARIABLES } from '#shared/notifications/variables.ts';
import { CAUSES } from '#shared/runs/protocol.ts';
import { SCRIPT_LIBRARIES, UNAVAILABLE_LIBRARIES } from '#shared/sandbox/libraries.ts';
import { OWN_PACKAGES, packagesOf } from '#shared/sandbox/packages.ts';
import { SESSION_STATUSES } from '#shared/sessions/check-session.ts';
import { TEST_SESSION_STATUSES } from '#shared/sessions/test-session.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe.each<[string, readonly string[]]>([
  ['docs/guide/results.md', CAUSES],
  ['docs/guide/checks.md', [...CHECK_TYPES, ...COMPARISONS, ...DNS_RECORD_TYPES]],
  ['docs/guide/heartbeats.md', HEARTBEAT_STATES],
  ['docs/guide/channels.md', [...CHANNEL_TYPES, ...WEBHOOK_TYPES, ...NOTICE_VARIABLES]],
  ['docs/guide/sessions.md', [...SESSION_STATUSES, ...TEST_SESSION_STATUSES]],
  ['docs/guide/browser-checks.md', RUNTIME_IDS.flatMap((id) => Object.keys(packagesOf(id)))],
  ['docs/guide/scripts.md', [...Object.keys(SCRIPT_LIBRARIES), ...UNAVAILABLE_LIBRARIES]],
])('%s', (page, words) => {
  test.each(words)('tells of %s', (word) => {
    expect(read(page)).toContain(`\`${word}\``);
  });
});

test.each(Object.entries(SCRIPT_LIBRARIES))(
  'the versions of %s are those told',
  (name, versions) => {
    // A row without a name goes on with the library above it.
    const row = read('docs/guide/scripts.md').match(
      new RegExp(`^\\| \`${name}\` \\|.*\\n(?:\\| \\| .*\\n)*`, 'm'),
    );
    for (const { version } of versions) expect(row?.[0]).toContain(version);
  },
);

test('the versions of packages that browser checks have are those told', () => {
  const page = read('docs/guide/browser-checks.md');
  const packages = RUNTIME_IDS.flatMap((id) => Object.entries(packagesOf(id)));
  for (const [name, { version, folder }] of packages) {
    // Of our own one only the behaviour is told.
    if (!OWN_PACKAGES.includes(name) || folder.endsWith('/playwright-helpers')) continue;
    const rows = page.match(new RegExp(`^\\| .*\`${name}\`.* \\|.*\\n(?:\\| \\| .*\\n)*`, 'm'));
    expect(rows?.[0], name).toContain(version);
  }
});

describe('links of the documents lead somewhere', () => {
  test.each(PAGES)('%s', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target));
    const dead = targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)));
    expect(dead).toEqual([]);
  });
});

describe('examples of the documents are JSON', () => {
  const examples = PAGES.flatMap((page) =>
    [...read(page).matchAll(/(?:^check \w+|-d) '(\{[^']*)'/gm)].map(
      ([, json = '']): [string, string] => [page, json],
    ),
  );

  test('there are some', () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  test.each(examples)('%s: %s', (_page, json) => {
    expect(() => JSON.parse(json)).not.toThrow();
  });
});

test.each(['main', 'workers', 'shared', 'test'])('the layout names every folder of %s/', (part) => {
  const folders = readdirSync(join(ROOT, part), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const layout = read('CONTRIBUTING.md')
    .split('## ')
    .find((text) => text.startsWith('Layout'));
  const rows =
    layout
      ?.split('\n')
      .filter((row) => row.startsWith(`| \`${part}/`))
      .join('\n') ?? '';
  expect(folders.filter((name) => !rows.includes(`${name}/\``))).toEqual([]);
});
