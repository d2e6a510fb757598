import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Mask } from '#workers/masking/mask.ts';
import { SecretForms } from '#workers/masking/secret-forms.ts';

const maskOf = (values: string[]) => new Mask({ values }, new SecretForms());
const scrubberOf = (values: string[]) => (text: string) => maskOf(values).text(text);

const hex = (text: string) => Buffer.from(text).toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const units = (text: string, pattern: RegExp, inCase: (text: string) => string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(pattern, (char) => `\\u${inCase(char.charCodeAt(0).toString(16).padStart(4, '0'))}`);
const lower = (text: string) => text;
const upper = (text: string) => text.toUpperCase();
const html = (text: string, quote: string, single: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", single);

describe('a secret is hidden', () => {
  const secret = `pä<ss>&'w"o/r+d=`;

  test.each([
    ['as it is', secret],
    ['in hexadecimal', hex(secret)],
    ['in upper-case hexadecimal', hex(secret).toUpperCase()],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['as encodeURI writes it', encodeURI(secret)],
    ['as a form writes it', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['as JSON', JSON.stringify(secret).slice(1, -1)],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['as PHP writes JSON', units(secret, /[^\0-\x7f]/g, lower).replaceAll('/', '\\/')],
    ['as Go writes JSON', units(secret, /[<>&]/g, lower)],
    ['as Ruby on Rails writes JSON', units(secret, /[<>&]|[^\0-\x7f]/g, lower)],
    [
      'as .NET writes JSON',
      units(secret.replaceAll('"', '\u0001'), /[<>&'+]|[^\0-\x7f]/g, upper).replaceAll(
        '\\u0001',
        '\\u0022',
      ),
    ],
    ['as Go writes HTML', html(secret, '&#34;', '&#39;')],
    ['as Python writes HTML', html(secret, '&quot;', '&#x27;')],
    ['as PHP writes HTML', html(secret, '&quot;', '&#039;')],
    ['as XML', html(secret, '&quot;', '&apos;')],
    ['as text in HTML', html(secret, '"', "'")],
    ['as Handlebars writes HTML', html(secret, '&quot;', '&#x27;').replaceAll('=', '&#x3D;')],
    [
      'as Mustache writes HTML',
      html(secret, '&quot;', '&#39;').replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;'),
    ],
  ])('%s', (_form, text) => {
    expect(scrubberOf([secret])(`before ${text} after`)).toBe('before *** after');
  });

  test.each([0, 1, 2])('in base64 of JSON with %i bytes before it', (before) => {
    const payload = `{"${'k'.repeat(before)}":${JSON.stringify(secret)},"more":1}`;
    const text = base64(payload);
    const middle = base64(`xx${JSON.stringify(secret).slice(1, -1)}`).slice(8, -8);
    expect(middle.length).toBeGreaterThan(8);
    const scrubbed = scrubberOf([secret])(text);
    expect(scrubbed).toContain('***');
    expect(Buffer.from(scrubbed.replace('***', ''), 'base64').toString()).not.toContain('pä<ss');
  });

  test('without the space around it, as a header comes back', () => {
    expect(scrubberOf(['  token-1 \n'])('x-echo: token-1')).toBe('x-echo: ***');
  });

  test.each([
    ['aaaa1234bbbb', ['aaaa1234', '1234bbbb'], '***'],
    ['xabcdefgy', ['abcd', 'abcdefg'], 'x***y'],
    ['abababab!', ['abab'], '***!'],
    ['one-and-two', ['one-', '-two'], '***and***'],
    ['s3cr s3cr', ['s3cr'], '*** ***'],
  ])('whole where secrets overlap, in %s', (text, secrets, expected) => {
    expect(scrubberOf(secrets)(text)).toBe(expected);
  });

  test.each(['4.8151623e7', '4.8151623e+07', '4.8151623E7', '48151623.0'])(
    'as the number %s',
    (text) => {
      expect(scrubberOf(['48151623'])(`{"pin":${text}}`)).toMatch(/^\{"pin":\*\*\*[e+07.]*\}$/i);
    },
  );

  test('line by line, whatever ends its lines', () => {
    const lines = [
      '-----BEGIN KEY-----',
      'MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEA',
      'q7BFUpkG',
    ];
    const scrub = scrubberOf([lines.join('\n')]);
    expect(scrub(JSON.stringify(lines.join('\r\n')))).toBe('"***\\r\\n***\\r\\n***"');
    expect(scrub(`first ${lines[1]}`)).toBe('first ***');
  });

  test('where it stands alone, if it is short', () => {
    const scrub = scrubberOf(['123', '$.', 'ü1']);
    expect(scrub('pin=123&x=1234 {"pin":123} "123" a123 _123 ü1 üü1 $. 123')).toBe(
      'pin=***&x=1234 {"pin":***} "***" a123 _123 *** üü1 *** ***',
    );
  });

  test.each([
    ['p@1', 'http://h/?pin=p%401&x=p%4012', 'http://h/?pin=***&x=p%4012'],
    ['a b', 'q=a+b&r=a%20b;a%2520b a bc', 'q=***&r=***;*** a bc'],
    ['"x', '{"v":"\\"x"} &quot;x; "xy', '{"v":"***"} ***; "xy'],
    ['<1', '\\u003c1 &lt;1 %3C1 %3c1 &lt;12', '*** *** *** *** &lt;12'],
  ])('in its forms where it stands alone, if it is short: %s in %s', (word, text, expected) => {
    expect(scrubberOf([word])(text)).toBe(expected);
  });

  test('as one where it is found everywhere', () => {
    const text = 'a'.repeat(1_000_000);
    expect(scrubberOf(['a'.repeat(1_000), 'aaaa'])(text)).toBe('***');
  });
});

describe('secrets that begin alike', () => {
  const alike = 'begin/alike "x" ä;'.repeat(200);
  const numbers = Array.from({ length: 50 }, (_, index) => index);

  test.each([
    ['by kilobytes', numbers.map((n) => `${alike}${n}-end`)],
    ['and are a letter repeated', numbers.map((n) => `${'a'.repeat(3_000)}${n}`)],
    ['and have fifty lengths', numbers.map((n) => `${'a'.repeat(n + 4)}b`)],
  ])('%s are all hidden, and looked up by at most 14 lengths', (_what, values) => {
    const forms = new SecretForms();
    const lengths = new Set(values.flatMap((it) => forms.of(it)).map(({ length }) => length));
    // What a place of a text costs at most: that many look-ups, of that many characters.
    expect(lengths.size).toBeLessThanOrEqual(14);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
    expect(maskOf(values).text(values.join(' '))).toBe(values.map(() => '***').join(' '));
    expect(maskOf(values).text('a'.repeat(3))).toBe('aaa');
  });
});

test.each([
  ['of 2,000 characters', 'k+/"é'.repeat(400)],
  ['of 60,000 characters', 'k+/"é'.repeat(12_000)],
])('a secret %s is hidden as it is, in URLs and in JSON', (_what, secret) => {
  const mask = maskOf([secret]);
  for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
    expect(mask.text(`<${form}>`)).toBe('<***>');
  }
});

test.each([
  [0, 'xxxx *** yyyy'],
  [5, ''],
  [6, '***'],
  [5 + 40, '***'],
])('a secret across a cut is hidden whole: cut %i characters into it', (chars, expected) => {
  const secret = 'Zq7-abcdefghijklmnopqrstuvwxyz0123456789';
  const mask = maskOf([secret]);
  const text = `xxxx ${secret} yyyy`;
  if (chars === 0) expect(mask.start(text, text.length)).toBe(expected);
  else expect(mask.start(text, chars)).toBe(`xxxx ${expected}`);
});

test('forms of a secret are kept within a bound, the newest', () => {
  const forms = new SecretForms(10_000);
  const first = forms.of('secret-0');
  expect(forms.of('secret-0')).toBe(first);
  for (let index = 1; index < 500; index++) forms.of(`secret-${index}`);
  expect(forms.chars).toBeGreaterThan(5_000);
  expect(forms.chars).toBeLessThanOrEqual(10_000);
  expect(forms.of('secret-499')).toBe(forms.of('secret-499'));
  expect(forms.of('secret-0')).not.toBe(first);
  const long = randomBytes(9_000).toString('base64');
  expect(forms.of(long)).not.toBe(forms.of(long));
});
