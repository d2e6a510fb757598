import { expect, test } from 'vitest';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import { RUNTIMES, runtime } from '#shared/checks/runtimes.ts';
import { librariesOf, SCRIPT_LIBRARIES, UNAVAILABLE_LIBRARIES } from '#shared/sandbox/libraries.ts';
import { packagesOf } from '#shared/sandbox/packages.ts';
import project from '../../../package.json' with { type: 'json' };

test('every runtime is there, in its shape', () => {
  expect(RUNTIMES.map(({ name }) => name)).toEqual(RUNTIME_IDS);
  for (const one of RUNTIMES) expect(runtime.parse(one)).toEqual(one);
});

test.each([
  ['2026.04', 'v24.13.1', true],
  ['2025.04', 'v22.11.0', true],
  ['2023.09', 'v18.20.3', true],
  ['2023.02', 'v16.20.2', false],
])('%s has the Node.js of the catalogue', (name, node, multiStep) => {
  const found = RUNTIMES.find((one) => one.name === name);
  expect(found?.nodeJsVersion).toBe(node);
  expect(found?.multiStepSupport).toBe(multiStep);
});

/** The package of an entry, which may name a file in it. */
const packageOf = (entry: string) => /^(?:@[^/]+\/)?[^/]+/.exec(entry)?.[0] ?? entry;

test('the versions told are those that are installed', () => {
  const { dependencies } = project as { dependencies: Record<string, string> };
  for (const { entry, version } of Object.values(SCRIPT_LIBRARIES).flat()) {
    if (entry === null || entry.startsWith('.')) continue;
    const installed = dependencies[packageOf(entry)]?.split('@').at(-1);
    expect([entry, installed]).toEqual([entry, version]);
  }
});

test.each(RUNTIME_IDS)('the versions of the packages of %s are those that are installed', (id) => {
  const { dependencies } = project as { dependencies: Record<string, string> };
  for (const { folder, version } of Object.values(packagesOf(id))) {
    if (folder.startsWith('.')) continue;
    expect([folder, dependencies[folder]?.split('@').at(-1)]).toEqual([folder, version]);
  }
});

test('a runtime tells of the real package where setup scripts have a stand-in', () => {
  const told = RUNTIMES[0]?.dependencies;
  const { version } = packagesOf('2026.04').axios ?? {};
  expect(told?.axios).toBe(version);
  expect(version).not.toBe(librariesOf('2026.04').axios);
  expect(told).toMatchObject({ '@playwright/test': '1.65.1', playwright: '1.65.1' });
});

/** The major versions of each runtime's catalogue; `nearest` is what we ship where they differ. */
const MAJORS: [name: string, [runtime: string, major: number, nearest?: number][]][] = [
  [
    '@faker-js/faker',
    [
      ['2026.04', 10],
      ['2025.04', 9],
      ['2024.09', 9],
      ['2024.02', 8],
      ['2023.09', 8],
      ['2023.02', 7, 8],
      ['2022.10', 5, 8],
    ],
  ],
  [
    'date-fns',
    [
      ['2025.04', 4],
      ['2024.09', 3, 4],
      ['2023.09', 2, 4],
    ],
  ],
  [
    'date-fns-tz',
    [
      ['2024.02', 3],
      ['2023.09', 2, 3],
    ],
  ],
  [
    'dotenv',
    [
      ['2026.04', 17],
      ['2025.04', 16],
    ],
  ],
  [
    'expect',
    [
      ['2026.04', 30],
      ['2025.04', 29],
    ],
  ],
  [
    'jose',
    [
      ['2026.04', 6],
      ['2025.04', 5],
      ['2024.02', 5],
      ['2023.09', 4],
    ],
  ],
  [
    'protobufjs',
    [
      ['2026.04', 8],
      ['2025.04', 7],
    ],
  ],
  [
    'uuid',
    [
      ['2026.04', 11],
      ['2025.04', 11],
      ['2024.09', 10],
      ['2024.02', 9],
    ],
  ],
  ['zod', [['2026.04', 3]]],
  ['axios', [['2026.04', 1, 0]]],
  [
    'jsonwebtoken',
    [
      ['2026.04', 9],
      ['2022.10', 8],
    ],
  ],
];

test.each(MAJORS)('%s is told in the major version of each runtime', (name, majors) => {
  for (const [runtimeId, major, nearest = major] of majors) {
    const told = librariesOf(runtimeId)[name];
    expect([runtimeId, Number(told?.split('.')[0])]).toEqual([runtimeId, nearest]);
  }
});

test.each([
  ['2026.04', 'axios', 'btoa'],
  ['2025.04', 'protobufjs', 'protobufjs/light'],
  ['2025.04', 'long', 'chai'],
  ['2024.09', 'btoa', 'chai-string'],
  ['2024.02', 'protobufjs/minimal', 'jsdom'],
  ['2024.02', 'chai-json-schema', 'twilio'],
  ['2023.09', 'ethers', 'graphql'],
  ['2023.09', 'dotenv', 'graphql-tag'],
  ['2023.09', '@t3-oss/env-nextjs', 'protobufjs'],
  ['2023.02', 'jose', 'dotenv'],
  ['2023.02', '@xmldom/xmldom', 'ethers'],
  ['2023.02', 'date-fns-tz', '@t3-oss/env-nextjs'],
  ['2022.10', 'aws4', 'jose'],
  ['2022.10', 'form-data', 'date-fns-tz'],
  ['2022.10', 'expect', '@xmldom/xmldom'],
  ['2022.10', 'lodash', 'zod'],
])('%s names %s and not %s', (name, has, lacks) => {
  const dependencies = RUNTIMES.find((one) => one.name === name)?.dependencies;
  expect(dependencies).toHaveProperty([has]);
  expect(dependencies).not.toHaveProperty([lacks]);
});

test('no library is both given and missing', () => {
  expect(UNAVAILABLE_LIBRARIES.filter((name) => name in SCRIPT_LIBRARIES)).toEqual([]);
});
