import { afterAll, describe, expect, test } from 'vitest';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../../../fixtures/scripts.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

/** Runs a script of a runtime that leaves the value of an expression in the body. */
const found = async (runtimeId: string, expression: string) => {
  const code = `request.body = String(await (${expression}))`;
  const { request, error } = await host.run(setupTask(code, { runtimeId }));
  expect(error).toBeNull();
  return request.body;
};

test.each([
  ['2026.04', 'v24.13.1'],
  ['2025.04', 'v22.11.0'],
  ['2024.02', 'v18.20.3'],
  ['2022.10', 'v16.20.2'],
])('a script of %s reads the version of its Node.js: %s', async (runtimeId, version) => {
  const expression = `process.version + ' ' + process.versions.node`;
  expect(await found(runtimeId, expression)).toBe(`${version} ${version.slice(1)}`);
});

describe('require finds the version of the runtime', () => {
  test.each([
    // Version 10 took `userName` away, 9 `random`.
    ['2026.04', `typeof require('@faker-js/faker').faker.internet.userName`, 'undefined'],
    ['2025.04', `typeof require('@faker-js/faker').faker.internet.userName`, 'function'],
    ['2025.04', `typeof require('@faker-js/faker').faker.random`, 'undefined'],
    ['2024.02', `typeof require('@faker-js/faker').faker.random`, 'object'],
    ['2024.02', `require('@faker-js/faker').faker.name.firstName().length > 0`, 'true'],
    ['2025.04', `typeof require('@xmldom/xmldom').ParseError`, 'function'],
    ['2024.02', `typeof require('@xmldom/xmldom').ParseError`, 'undefined'],
    ['2025.04', `'toBeCalled' in require('expect').expect(() => 1)`, 'true'],
    ['2026.04', `'toBeCalled' in require('expect').expect(() => 1)`, 'false'],
    [
      '2026.04',
      `[typeof require('jose').customFetch, 'jwksCache' in require('jose')]`,
      'symbol,true',
    ],
    ['2025.04', `'experimental_jwksCache' in require('jose')`, 'true'],
    ['2023.09', `'jwksCache' in require('jose')`, 'false'],
    ['2026.04', `typeof require('protobufjs').util.jsonName`, 'function'],
    ['2025.04', `typeof require('protobufjs').util.jsonName`, 'undefined'],
    ['2024.09', `typeof require('uuid').v7`, 'function'],
    ['2024.02', `typeof require('uuid').v7`, 'undefined'],
    ['2023.02', `typeof require('date-fns-tz').utcToZonedTime`, 'function'],
    ['2024.02', `typeof require('date-fns-tz').utcToZonedTime`, 'undefined'],
  ])('%s: %s is %s', async (runtimeId, expression, value) => {
    expect(await found(runtimeId, expression)).toBe(value);
    const unforeseen = expression.replaceAll(`require('`, `require('' + '`);
    expect(await found(runtimeId, unforeseen)).toBe(value);
  });
});

describe('a library that the runtime lacks is refused by name', () => {
  test.each([
    ['2026.04', 'btoa', ', a library of the runtimes 2022.10 to 2025.04'],
    ['2025.04', 'chai', ', a library of the runtimes 2022.10 to 2024.02'],
    ['2024.09', 'protobufjs/light', ', a library of the runtime 2024.02'],
    ['2023.02', 'zod', ', a library of the runtimes 2023.09 to 2026.04'],
    ['2022.10', 'left-pad', ''],
    ['2022.10', '__proto__', ''],
  ])('%s: %s', async (runtimeId, name, elsewhere) => {
    const { error } = await host.run(setupTask(`require('${name}')`, { runtimeId }));
    expect(error?.message).toContain(
      `Cannot require "${name}"${elsewhere}: the runtime ${runtimeId} has util, `,
    );
    expect(error?.message).toContain(', lodash, ');
    expect(error?.message).toContain(' and ./snippets/<name>.js');
    expect(error?.message).not.toContain(`, ${name},`);
  });
});

test('a snippet gets the libraries of the runtime too', async () => {
  const snippets = { tz: `module.exports = typeof require('date-fns-tz').utcToZonedTime` };
  const task = setupTask(`request.body = require('./snippets/tz.js')`, { snippets });
  for (const [runtimeId, type] of [
    ['2023.02', 'function'],
    ['2025.04', 'undefined'],
  ] as const) {
    expect((await host.run({ ...task, runtimeId })).request.body).toBe(type);
  }
});
