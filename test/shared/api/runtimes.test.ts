import { expect, test } from 'vitest';
import { RUNTIMES, runtime } from '#shared/api/runtimes.ts';
import { RUNTIME_IDS } from '#shared/check/enums.ts';

test('every runtime of the specification is there, in its shape', () => {
  expect(RUNTIMES.map(({ name }) => name)).toEqual(RUNTIME_IDS);
  for (const one of RUNTIMES) expect(runtime.parse(one)).toEqual(one);
});

test.each([
  ['2025.04', 'v22.11.0', true, '0.28.0', '11.1.0'],
  ['2023.09', 'v18.20.3', true, '0.27.2', '9.0.0'],
  ['2023.02', 'v16.20.2', false, '0.27.2', '9.0.0'],
])('%s has the versions of the catalogue', (name, node, multiStep, axios, uuid) => {
  const found = RUNTIMES.find((one) => one.name === name);
  expect(found?.nodeJsVersion).toBe(node);
  expect(found?.multiStepSupport).toBe(multiStep);
  expect(found?.dependencies).toMatchObject({ axios, uuid });
});

test('a package that a runtime lacks is not named', () => {
  expect(RUNTIMES.at(-1)?.dependencies).not.toHaveProperty('zod');
});
