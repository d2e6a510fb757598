/** One real use of each library in a script, and what it gives as a text. */
export const LIBRARY_USES: Record<string, [expression: string, value: string | RegExp]> = {
  '@faker-js/faker': [`require('@faker-js/faker').faker.internet.email()`, /^\S+@\S+\.\w+$/],
  '@t3-oss/env-nextjs': [
    `(() => { const { createEnv } = require('@t3-oss/env-nextjs'); const { z } = require('zod');
      const onValidationError = ([issue]) => { throw new Error('wrong: ' + issue.path) };
      const env = (server) => createEnv({ server, experimental__runtimeEnv: {}, onValidationError });
      try { return env({ GREETING: z.string() }).GREETING + env({ MISSING: z.string() }) }
      catch (error) { return env({ GREETING: z.string().min(2) }).GREETING + ', ' + error.message } })()`,
    'hello, wrong: MISSING',
  ],
  '@xmldom/xmldom': [
    `(() => { const { DOMParser, XMLSerializer } = require('@xmldom/xmldom');
      const document = new DOMParser().parseFromString('<a><b x="1">t</b></a>', 'text/xml');
      document.getElementsByTagName('b')[0].setAttribute('x', '2');
      return new XMLSerializer().serializeToString(document) })()`,
    '<a><b x="2">t</b></a>',
  ],
  // The signature is what the package gives in Node.
  aws4: [
    `require('aws4').sign(
      { host: 'sqs.us-east-1.amazonaws.com', path: '/?Action=ListQueues', headers: { 'X-Amz-Date': '20260101T000000Z' } },
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }).headers.Authorization`,
    /Signature=4323904c2ef19f71c5ae3b3b5d347220b3fa02025d464b40bb54f40422366b1f$/,
  ],
  axios: [`typeof require('axios').get`, 'function'],
  btoa: [`require('btoa')('text')`, 'dGV4dA=='],
  chai: [`(require('chai').expect([1, 2]).to.include(2), 'held')`, 'held'],
  'chai-json-schema': [
    `(() => { const chai = require('chai').use(require('chai-json-schema'));
      const schema = { required: ['id'], properties: { id: { type: 'integer' } } };
      chai.expect({ id: 1 }).to.be.jsonSchema(schema);
      try { chai.expect({ id: 'x' }).to.be.jsonSchema(schema) } catch (error) { return error.name } })()`,
    'AssertionError',
  ],
  'chai-string': [
    `(() => { const chai = require('chai').use(require('chai-string'));
      chai.expect('watchpost').to.startWith('watch');
      try { chai.expect('a').to.endWith('b') } catch (error) { return error.message } })()`,
    'expected a to end with b',
  ],
  'crypto-js': [
    `(() => { const C = require('crypto-js');
      return C.AES.decrypt(C.AES.encrypt('text', 'key').toString(), 'key').toString(C.enc.Utf8)
        + C.HmacSHA256('a', 'b').toString().slice(0, 8) })()`,
    'textcb448b44',
  ],
  'date-fns': [`require('date-fns').format(new Date(2024, 1, 28 + 2), 'yyyy-MM-dd')`, '2024-03-01'],
  'date-fns-tz': [
    `require('date-fns-tz').formatInTimeZone(new Date(0), 'Asia/Tokyo', 'yyyy-MM-dd HH:mm XXX')`,
    '1970-01-01 09:00 +09:00',
  ],
  dotenv: [
    `JSON.stringify(require('dotenv').parse('A=1\\n# none\\nB="two words" # b'))`,
    '{"A":"1","B":"two words"}',
  ],
  ethers: [
    `(async () => { const { Wallet, verifyMessage, formatEther } = require('ethers');
      const wallet = new Wallet('0x' + '1'.repeat(64));
      const signer = verifyMessage('text', await wallet.signMessage('text'));
      return [wallet.address, signer === wallet.address, formatEther(15n * 10n ** 17n)] })()`,
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A,true,1.5',
  ],
  expect: [
    `(async () => { const { expect } = require('expect');
      expect({ a: [1, 2] }).toEqual({ a: [1, expect.any(Number)] });
      expect(() => { throw new TypeError('x') }).toThrow(TypeError);
      await expect(Promise.resolve(1)).resolves.toBe(1);
      try { expect({ a: 1 }).toMatchObject({ a: 2 }) } catch (error) { return error.message } })()`,
    /-\s+"a": 2,\n\+\s+"a": 1,/,
  ],
  'form-data': [
    `(() => { const form = new (require('form-data'))(); form.append('a', 1);
      return form.getBuffer().toString().replaceAll(form.getBoundary(), 'B') })()`,
    '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--B--\r\n',
  ],
  graphql: [
    `(() => { const { buildSchema, graphqlSync, parse, print, validate } = require('graphql');
      const schema = buildSchema('type Query { a: Int }');
      const { data } = graphqlSync({ schema, source: '{ a }', rootValue: { a: 1 } });
      return print(parse('{a}')) + JSON.stringify(data) + validate(schema, parse('{ z }'))[0].message })()`,
    /^\{\n {2}a\n\}\{"a":1\}Cannot query field "z"/,
  ],
  'graphql-tag': [
    "require('graphql').print(require('graphql-tag')`query Q { a }`)",
    'query Q {\n  a\n}',
  ],
  jose: [
    `(async () => { const { SignJWT, jwtVerify } = require('jose'); const found = [];
      const key = new TextEncoder().encode('k'.repeat(64));
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const token = await new SignJWT({ alg }).setProtectedHeader({ alg }).sign(key);
        found.push((await jwtVerify(token, key)).payload.alg, require('jsonwebtoken').verify(token, key).alg);
        await jwtVerify(token, key.slice(1)).catch((error) => found.push(error.code.slice(8)));
      }
      return found })()`,
    ['HS256', 'HS384', 'HS512'].map((alg) => `${alg},${alg},SIGNATURE_VERIFICATION_FAILED`).join(),
  ],
  jsonwebtoken: [
    `(() => { const jwt = require('jsonwebtoken');
      return jwt.verify(jwt.sign({ a: 1 }, 'key', { expiresIn: '1h' }), 'key').a })()`,
    '1',
  ],
  lodash: [`require('lodash').chunk([1, 2, 3], 2).map((one) => one.length).join()`, '2,1'],
  long: [`require('long').fromString('9223372036854775806').add(1)`, '9223372036854775807'],
  moment: [`require('moment').utc(0).add(1, 'month').format('YYYY-MM-DD')`, '1970-02-01'],
  otpauth: [
    `new (require('otpauth').TOTP)({ secret: 'JBSWY3DPEHPK3PXP' }).generate({ timestamp: 0 })`,
    /^\d{6}$/,
  ],
  protobufjs: [
    `(() => { const source = 'syntax = "proto3"; message M { string a = 1; int64 n = 2; bool r = 3; }';
      const M = require('protobufjs').parse(source).root.lookupType('M');
      const bytes = M.encode(M.fromObject({ a: 'hi', n: '9007199254740993', r: true })).finish();
      return Buffer.from(bytes).toString('hex') + M.toObject(M.decode(bytes), { longs: String }).n })()`,
    '0a02686910818080808080801018019007199254740993',
  ],
  'protobufjs/light': [
    `(() => { const fields = { a: { type: 'string', id: 1 } };
      const { M } = require('protobufjs/light').Root.fromJSON({ nested: { M: { fields } } });
      return M.decode(M.encode({ a: 'hi' }).finish()).a })()`,
    'hi',
  ],
  'protobufjs/minimal': [
    `(() => { const { Reader, Writer } = require('protobufjs/minimal');
      return Reader.create(Writer.create().int64('9007199254740993').finish()).int64() })()`,
    '9007199254740993',
  ],
  uuid: [
    `require('uuid').v5('a', '6ba7b810-9dad-11d1-80b4-00c04fd430c8') + require('uuid').v4()`,
    /^[\da-f-]{72}$/,
  ],
  zod: [
    `require('zod').z.object({ a: require('zod').z.number() }).safeParse({ a: 'x' }).error.issues[0].path`,
    'a',
  ],
};
