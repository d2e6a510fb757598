import { expect, test } from 'vitest';
import { RUNTIMES, runtime } from '#shared/api/runtimes.ts';
import { RUNTIME_IDS } from '#shared/check/enums.ts';
import { SCRIPT_LIBRARIES, UNAVAILABLE_LIBRARIES } from '#shared/run/libraries.ts';
import project from '../../../package.json' with { type: 'json' };

test('every runtime of the specification is there, in its shape', () => {
  expect(RUNTIMES.map(({ name }) => name)).toEqual(RUNTIME_IDS);
  for (const one of RUNTIMES) expect(runtime.parse(one)).toEqual(one);
});

test.each([
  ['2025.04', 'v22.11.0', true],
  ['2023.09', 'v18.20.3', true],
  ['2023.02', 'v16.20.2', false],
])('%s has the Node.js of the catalogue', (name, node, multiStep) => {
  const found = RUNTIMES.find((one) => one.name === name);
  expect(found?.nodeJsVersion).toBe(node);
  expect(found?.multiStepSupport).toBe(multiStep);
});

test('the versions told are those that are installed', () => {
  const { dependencies } = project as { dependencies: Record<string, string> };
  for (const [name, { version, isBundled }] of Object.entries(SCRIPT_LIBRARIES)) {
    const [installed = name] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [];
    if (isBundled) expect([name, dependencies[installed]]).toEqual([name, version]);
  }
});

test.each([
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
