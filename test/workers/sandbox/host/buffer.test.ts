import { afterAll, expect, test } from 'vitest';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../../../fixtures/scripts.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

const KINDS = ['UInt8', 'Int8'].concat(
  ['UInt16', 'Uint16', 'Int16', 'UInt32', 'Uint32', 'Int32', 'Float', 'Double'].flatMap((kind) => [
    `${kind}LE`,
    `${kind}BE`,
  ]),
);
const BIG = ['BigUInt64LE', 'BigUint64BE', 'BigInt64LE', 'BigInt64BE'];

/** The value of an expression, or the name of the error that it throws. */
const evaluated = (expression: string) =>
  `try { return JSON.stringify(${expression}) } catch (error) { return error.name }`;

/** Evaluated by Node with its own Buffer and in a script. */
async function both(expression: string): Promise<[unknown, string]> {
  const inNode = new Function(evaluated(expression))();
  const { request, error } = await host.run(
    setupTask(`request.body = (() => { ${evaluated(expression)} })()`),
  );
  expect(error).toBeNull();
  return [inNode, request.body];
}

test.each([
  `Buffer.alloc(4).fill('ab', 'hex')`,
  `Buffer.alloc(4).fill('ab', 1, 'hex')`,
  `Buffer.alloc(4).fill('ab', 1, 3, 'hex')`,
  `Buffer.alloc(4).fill('ab', 1, 3)`,
  `Buffer.alloc(4).fill('zz', 'hex')`,
  `Buffer.alloc(4, 'YWI=', 'base64')`,
  `Buffer.alloc(4, '')`,
  `Buffer.alloc(4).fill(300)`,
  `(() => { const b = Buffer.alloc(4); return [b.write('abcd', 'hex'), b] })()`,
  `(() => { const b = Buffer.alloc(4); return [b.write('abcd', 1, 'hex'), b] })()`,
  `(() => { const b = Buffer.alloc(4); return [b.write('abcd', 1, 1, 'hex'), b] })()`,
  `(() => { const b = Buffer.alloc(4); return [b.write('abcd', 1, 2), b] })()`,
  `(() => { const b = Buffer.alloc(4); return [b.write('abcdef', 2), b] })()`,
  `Buffer.from('hello').indexOf('bG8=', 'base64')`,
  `Buffer.from('hello').indexOf('bA==', 3, 'base64')`,
  `Buffer.from('hello').indexOf('6c', -2, 'hex')`,
  `Buffer.from('hello').includes('6c6c', 'hex')`,
  `Buffer.from('hello').includes('l', 4)`,
  `Buffer.from('hello').lastIndexOf('l')`,
  `Buffer.from('hello').lastIndexOf('6c', 'hex')`,
  `Buffer.from('hello').lastIndexOf('l', 2)`,
  `Buffer.from('hello').lastIndexOf('l', -3)`,
  `Buffer.from('hello').lastIndexOf(108)`,
  `Buffer.from('hello').lastIndexOf('x')`,
])('Buffer does as in Node: %s', async (expression) => {
  const [inNode, inScript] = await both(expression);
  expect(inScript).toBe(inNode);
});

test.each([...KINDS, ...BIG])('Buffer reads and writes %s within its bounds', async (kind) => {
  const values = BIG.includes(kind)
    ? [
        '0n',
        '-1n',
        '(1n << 63n) - 1n',
        '1n << 63n',
        '(1n << 64n) - 1n',
        '1n << 64n',
        '-(1n << 63n)',
      ]
    : ['0', '1.5', '-1', '127', '128', '255', '256', '-128', '-129', '65535', '65536', '-32769']
        .concat(['2 ** 31', '2 ** 32 - 1', '2 ** 32', '-(2 ** 31)', '-(2 ** 31) - 1'])
        .concat(['NaN', '"7"', '"300"']);
  const each = (value: string) => `(() => { const b = Buffer.alloc(10);
    try { return [b.write${kind}(${value}, 1), b.toString('hex'), String(b.read${kind}(1))] }
    catch (error) { return [error.name, error.code] } })()`;
  const [inNode, inScript] = await both(`[${values.map(each).join()}]`);
  expect(inScript).toBe(inNode);
});

test('a loop over the members of a Buffer finds its bytes alone', async () => {
  const { request } = await host.run(
    setupTask(`request.body = []; for (const name in Buffer.from('ab')) request.body.push(name)`),
  );
  expect(request.body).toBe('["0","1"]');
});
