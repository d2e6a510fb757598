import { describe, expect, it } from 'vitest';
import {
  type DnsFacts,
  evaluateAssertions,
  type HttpFacts,
  type IcmpFacts,
  type TcpFacts,
} from '#shared/assertions/evaluate.ts';
import type { Assertion } from '#shared/checks/blocks.ts';

const HTTP: HttpFacts = {
  statusCode: 500,
  headers: { 'content-type': 'application/json', 'x-trace': 'id=42; hop=7', 'x-empty': '' },
  body: JSON.stringify({
    status: 'ok',
    items: [{ price: 5 }, { price: 12 }, { price: 'many' }],
    nothing: null,
  }),
  responseTime: 24.1,
};
const TCP: TcpFacts = { data: '220 mail.example ESMTP ready\r\n', responseTime: 12 };
const DNS: DnsFacts = {
  responseCode: 'NXDOMAIN',
  responseTime: 8.5,
  textAnswer: 'example.org. 300 IN A 192.0.2.7',
  jsonAnswer: { Status: 0, Answer: [{ data: '192.0.2.7', TTL: 300 }] },
};
const ICMP: IcmpFacts = {
  latency: { avg: 10.5, min: 9, max: 13, stdDev: null },
  jsonResponse: { packetLoss: 50, pingResults: [{ success: true }, { success: false }] },
};

type Words = [source: string, property: string, comparison: string, target: string, regex?: string];

const assertionOf = ([source, property, comparison, target, regex = '']: Words) =>
  ({ source, property, comparison, target, regex }) as Assertion;

const api = (words: Words, facts: Partial<HttpFacts> = {}) =>
  evaluateAssertions('API', [assertionOf(words)], { ...HTTP, ...facts })[0];

describe('an assertion on an HTTP answer', () => {
  it.each<[Words, string | null]>([
    [['STATUS_CODE', '', 'EQUALS', '500'], null],
    [
      ['STATUS_CODE', '', 'LESS_THAN', '400'],
      'Expected status code to be less than 400, but got 500',
    ],
    [['RESPONSE_TIME', '', 'LESS_THAN', '24.2'], null],
    [
      ['RESPONSE_TIME', '', 'LESS_THAN', '20'],
      'Expected response time to be less than 20, but got 24.1',
    ],
    [['HEADERS', 'X-Trace', 'CONTAINS', 'hop'], null],
    [['HEADERS', 'x-trace', 'EQUALS', '42', 'id=(\\d+)'], null],
    [
      ['HEADERS', 'x-trace', 'GREATER_THAN', '9', 'hop=\\d+'],
      'Expected header "x-trace" at /hop=\\d+/ to be greater than 9, but got "hop=7", which is not a number',
    ],
    [['HEADERS', 'x-empty', 'IS_EMPTY', ''], null],
    [['HEADERS', 'x-missing', 'IS_EMPTY', ''], null],
    [
      ['HEADERS', 'x-missing', 'NOT_EMPTY', ''],
      'Expected header "x-missing" not to be empty, but found nothing',
    ],
    [['HEADERS', 'constructor', 'IS_NULL', ''], null],
    [['HEADERS', '', 'HAS_KEY', 'x-trace'], null],
    [['TEXT_BODY', '', 'CONTAINS', '"status":"ok"'], null],
    [['TEXT_BODY', '"status":"(\\w+)"', 'EQUALS', 'ok'], null],
    [['TEXT_BODY', '', 'EQUALS', 'ok', '"status":"(\\w+)"'], null],
    [['TEXT_BODY', 'price', 'EQUALS', 'price'], null],
    [
      ['TEXT_BODY', '"cost":(\\d+)', 'EQUALS', '5'],
      'Expected text body at /"cost":(\\d+)/ to equal 5, but found nothing',
    ],
    [
      ['TEXT_BODY', '(', 'EQUALS', '5'],
      'Expected text body at /(/ to equal 5, but the regular expression /(/ is not valid: error parsing regexp: missing closing ): `(`',
    ],
    [['JSON_BODY', '$.status', 'EQUALS', 'ok'], null],
    [['JSON_BODY', ' $.items.length ', 'EQUALS', '3'], null],
    [['JSON_BODY', '', 'HAS_KEY', 'status'], null],
    [['JSON_BODY', '$.nothing', 'IS_NULL', ''], null],
    [['JSON_BODY', '$.missing', 'NOT_EQUALS', 'x'], null],
    [
      ['JSON_BODY', '$.status', 'EQUALS', 'down'],
      'Expected JSON body at $.status to equal "down", but got "ok"',
    ],
    [
      ['JSON_BODY', '$.missing', 'EQUALS', 'x'],
      'Expected JSON body at $.missing to equal "x", but found nothing',
    ],
    [['JSON_BODY', '$.items[:2].price', 'LESS_THAN', '13'], null],
    [
      ['JSON_BODY', '$.items[:2].price', 'LESS_THAN', '10'],
      'Expected JSON body at $.items[:2].price to be less than 10, but got 12 (value 2 of 2)',
    ],
    [
      ['JSON_BODY', '$.items[*].price', 'LESS_THAN', '20'],
      'Expected JSON body at $.items[*].price to be less than 20, but got "many" (value 3 of 3), which is not a number',
    ],
    [
      ['JSON_BODY', '$.items[0].price', 'LESS_THAN', 'ten'],
      'Expected JSON body at $.items[0].price to be less than "ten", but got 5, and the target is not a number',
    ],
    [
      ['JSON_BODY', 'status', 'EQUALS', 'ok'],
      "Expected JSON body at status to equal \"ok\", but the JSONPath is not valid: expected '$', found 's' ('status':0)",
    ],
  ])('%j', (words, error) => {
    expect(api(words)).toMatchObject({ error });
  });

  it('keeps its settings beside its order, error and actual value', () => {
    const words: Words[] = [
      ['STATUS_CODE', '', 'EQUALS', '500'],
      ['JSON_BODY', '$.items[*].price', 'NOT_NULL', ''],
      ['HEADERS', 'x-missing', 'NOT_NULL', ''],
    ];
    expect(evaluateAssertions('API', words.map(assertionOf), HTTP)).toEqual([
      { ...assertionOf(words[0] as Words), order: 0, error: null, actual: 500 },
      { ...assertionOf(words[1] as Words), order: 1, error: null, actual: [5, 12, 'many'] },
      {
        ...assertionOf(words[2] as Words),
        order: 2,
        error: 'Expected header "x-missing" not to be null, but found nothing',
        actual: null,
      },
    ]);
  });

  it('takes null where a list of settings may hold it', () => {
    const assertion = { ...assertionOf(['JSON_BODY', '', 'IS_EMPTY', '']), property: null };
    const facts = { ...HTTP, body: '[]' };
    const [outcome] = evaluateAssertions(
      'API',
      [{ ...assertion, target: null, regex: null }],
      facts,
    );
    expect(outcome).toMatchObject({ error: null, actual: [] });
  });
});

describe('a body is JSON by its content type and its text', () => {
  const PREFIX = 'Expected JSON body at $.a to equal 1, but ';
  it.each<[string | undefined, string, string | null]>([
    ['application/json', '{"a":1}', null],
    ['Application/JSON; charset=utf-8', '{"a":1}', null],
    ['application/problem+json', '{"a":1}', null],
    ['text/json', '{"a":1}', null],
    [undefined, '{"a":1}', null],
    ['text/html; charset=utf-8', '{"a":1}', 'the body is not JSON but "text/html; charset=utf-8"'],
    ['application/jsonp', '{"a":1}', 'the body is not JSON but "application/jsonp"'],
    ['text/plain; format=json', '{"a":1}', 'the body is not JSON but "text/plain; format=json"'],
    ['application/json', '{"a":1', 'the body is not valid JSON'],
    ['application/json', ' \n', 'the body is empty, not JSON'],
  ])('%s with %j', (contentType, body, problem) => {
    const headers: HttpFacts['headers'] =
      contentType === undefined ? {} : { 'content-type': contentType };
    const outcome = api(['JSON_BODY', '$.a', 'EQUALS', '1'], { headers, body });
    expect(outcome?.error).toBe(problem === null ? null : `${PREFIX}${problem}`);
  });

  it.each([
    ['2,000,000 values', `{"a":1,"b":[${'0,'.repeat(1_999_996)}0]}`, null],
    ['more', `{"a":1,"b":[${'0,'.repeat(1_999_998)}0]}`, '2000000 values, too many to look at'],
    [
      'more objects',
      `{"a":1,"b":[${'{},'.repeat(1_000_000)}0]}`,
      '2000000 values, too many to look at',
    ],
  ])('%s', (_what, body, problem) => {
    const headers = { 'content-type': 'application/json' };
    const outcome = api(['JSON_BODY', '$.a', 'EQUALS', '1'], { headers, body });
    const error = problem && `${PREFIX}the body holds more than ${problem}`;
    expect(outcome?.error).toBe(error);
  });
});

describe('an assertion of another type', () => {
  it.each([
    evaluateAssertions('URL', [assertionOf(['STATUS_CODE', '', 'LESS_THAN', '501'])], HTTP),
    evaluateAssertions('TCP', [assertionOf(['RESPONSE_DATA', '^(\\d+) ', 'EQUALS', '220'])], TCP),
    evaluateAssertions('TCP', [assertionOf(['RESPONSE_TIME', '', 'LESS_THAN', '13'])], TCP),
    evaluateAssertions('DNS', [assertionOf(['RESPONSE_CODE', '', 'EQUALS', 'NXDOMAIN'])], DNS),
    evaluateAssertions('DNS', [assertionOf(['RESPONSE_TIME', '', 'GREATER_THAN', '8'])], DNS),
    evaluateAssertions(
      'DNS',
      [assertionOf(['TEXT_ANSWER', 'IN A (\\S+)', 'EQUALS', '192.0.2.7'])],
      DNS,
    ),
    evaluateAssertions(
      'DNS',
      [assertionOf(['JSON_ANSWER', '$.Answer[*].TTL', 'EQUALS', '300'])],
      DNS,
    ),
    evaluateAssertions('ICMP', [assertionOf(['LATENCY', '', 'EQUALS', '10.5'])], ICMP),
    evaluateAssertions('ICMP', [assertionOf(['LATENCY', 'max', 'LESS_THAN', '14'])], ICMP),
    evaluateAssertions('ICMP', [assertionOf(['LATENCY', 'stdDev', 'IS_NULL', ''])], ICMP),
    evaluateAssertions(
      'ICMP',
      [assertionOf(['JSON_RESPONSE', '$.packetLoss', 'EQUALS', '50'])],
      ICMP,
    ),
  ])('holds: %o', (outcome) => {
    expect(outcome.error).toBeNull();
  });

  it.each<[Words, string]>([
    [['LATENCY', 'avg', 'LESS_THAN', '5'], 'Expected latency avg to be less than 5, but got 10.5'],
    [
      ['LATENCY', 'stdDev', 'LESS_THAN', '5'],
      'Expected latency stdDev to be less than 5, but got null, which is not a number',
    ],
    [
      ['LATENCY', 'median', 'LESS_THAN', '5'],
      'Expected latency median to be less than 5, but the property is none of avg, min, max, stdDev',
    ],
    [
      ['JSON_RESPONSE', '$.pingResults[*].success', 'EQUALS', 'true'],
      'Expected JSON response at $.pingResults[*].success to equal "true", but got false (value 2 of 2)',
    ],
    [['STATUS_CODE', '', 'EQUALS', '200'], 'A check of this type has no source STATUS_CODE'],
  ])('fails: %j', (words, error) => {
    expect(evaluateAssertions('ICMP', [assertionOf(words)], ICMP)[0]?.error).toBe(error);
  });
});

describe('what an outcome holds is bounded', () => {
  it('a long text is cut in the sentence and in the actual value', () => {
    const outcome = api(['TEXT_BODY', '', 'EQUALS', 'short'], { body: 'x'.repeat(1_000_000) });
    expect(outcome?.actual).toBe(`${'x'.repeat(1_024)}…`);
    expect(outcome?.error).toBe(
      `Expected text body to equal "short", but got "${'x'.repeat(199)}…`,
    );
  });

  it('a large document becomes the beginning of its text', () => {
    const body = JSON.stringify({ list: Array.from({ length: 100_000 }, () => 'entry') });
    const outcome = api(['JSON_BODY', '', 'IS_EMPTY', ''], { body });
    expect(outcome?.actual).toMatch(/^\{"list":\["entry",/);
    expect(String(outcome?.actual)).toHaveLength(1_025);
    expect(outcome?.error?.length).toBeLessThan(300);
  });

  it('a pair of surrogates is never cut in half', () => {
    const outcome = api(['TEXT_BODY', '', 'IS_EMPTY', ''], { body: `x${'😀'.repeat(2_000)}` });
    expect(String(outcome?.actual).isWellFormed()).toBe(true);
  });

  it('a long list of values is cut', () => {
    const body = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index));
    const outcome = api(['JSON_BODY', '$[*]', 'LESS_THAN', '1000'], { body });
    expect(outcome).toMatchObject({ error: null, actual: Array.from({ length: 20 }, (_, i) => i) });
  });

  it.each<[string, Words, string]>([
    [
      'deep nesting',
      ['JSON_BODY', '$..a', 'IS_NULL', ''],
      'Could not look at JSON_BODY $..a: more than 500 levels of nesting',
    ],
    [
      'deep nesting searched as text',
      ['JSON_BODY', '', 'EQUALS', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
      'Could not look at JSON_BODY: more than 500 levels of nesting',
    ],
  ])('%s fails with a reason', (_, words, error) => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(api(words, { body })?.error).toBe(error);
  });
});

describe('work is done only where it is needed', () => {
  it('no assertions, no look at the facts', () => {
    const untouchable = new Proxy({} as HttpFacts, {
      get: (_, name) => expect.unreachable(`read ${String(name)}`),
    });
    expect(evaluateAssertions('API', [], untouchable)).toEqual([]);
  });

  it('the body is parsed once for all assertions, and not at all for others', () => {
    let reads = 0;
    const facts = {
      ...HTTP,
      get body() {
        reads += 1;
        return HTTP.body;
      },
    };
    const status: Words = ['STATUS_CODE', '', 'EQUALS', '500'];
    const json: Words = ['JSON_BODY', '$.status', 'EQUALS', 'ok'];
    evaluateAssertions('API', [status].map(assertionOf), facts);
    expect(reads).toBe(0);
    evaluateAssertions('API', [json, json, json].map(assertionOf), facts);
    expect(reads).toBe(1);
  });
});
