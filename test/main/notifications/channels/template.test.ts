import { describe, expect, test } from 'vitest';
import { compileTemplate } from '#main/notifications/template/compile.ts';
import type { Context } from '#main/notifications/template/escape.ts';
import { renderTemplate } from '#main/notifications/template/render.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const VARIABLES = {
  NAME: 'a "quoted" <b> & 1/2',
  TAGS: ['team:ops', 'env=prod'],
  NONE: null,
  COUNT: 12,
  STARTED_AT: '2026-01-15T11:30:05.000Z',
};

const render = (text: string, context: Context = 'plain') =>
  renderTemplate(compileTemplate(text), VARIABLES, { context, now: NOW });

describe('a template is filled in', () => {
  test.each([
    ['no template at all', 'no template at all'],
    ['', ''],
    ['{{NAME}}', 'a "quoted" <b> & 1/2'],
    ['{{ NOBODY }}|{{NONE}}|{{TAGS}}', '||team:ops,env=prod'],
    ['{{#if NONE}}y{{else if COUNT}}n{{else}}x{{/if}}', 'n'],
    ['{{#unless TAGS}}none{{else}}some{{/unless}}', 'some'],
    [
      '{{#each TAGS}}{{@index}}{{this}}{{#unless @last}}, {{/unless}}{{/each}}',
      '0team:ops, 1env=prod',
    ],
    ['{{#each NONE}}x{{else}}no tags{{/each}}', 'no tags'],
    ['{{#each TAGS}}{{COUNT}}{{../COUNT}}{{#if @first}}!{{/if}}{{/each}}', '1212!1212'],
    ['{{! said to nobody }}a{{!-- }} --}}b', 'ab'],
    ['  {{~COUNT~}}  .', '12.'],
    ['a\n  {{#if COUNT}}\n  b\n{{else}}\n  c\n{{/if}}\nd', 'a\n  b\nd'],
    ['{"a":{"b":{{COUNT}}}}', '{"a":{"b":12}}'],
    ['{{{COUNT}}}{{&COUNT}}', '1212'],
    ['\\\\{{COUNT}}', '\\12'],
    ['{"a":{"b":{}}} \\{{COUNT}}', '{"a":{"b":{}}} {{COUNT}}'],
  ])('%s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });
});

describe('the helpers of templates', () => {
  test.each([
    ['{{#eq COUNT 12}}y{{else}}n{{/eq}}', 'y'],
    ['{{#eq COUNT "12"}}y{{else}}n{{/eq}}', 'n'],
    ['{{#is COUNT "12"}}y{{/is}}{{#isnt COUNT "12"}}n{{/isnt}}', 'y'],
    [
      '{{#gt COUNT 9}}y{{/gt}}{{#gte COUNT 12}}y{{/gte}}{{#lt COUNT 9}}n{{/lt}}{{#lte COUNT 12}}y{{/lte}}',
      'yyy',
    ],
    [
      '{{#gt COUNT "9"}}as numbers{{/gt}}{{#gt "b" "a"}} as text{{/gt}}{{#gt NONE 1}} no{{/gt}}',
      'as numbers as text',
    ],
    ['{{#compare COUNT ">=" 12}}y{{/compare}}{{#compare COUNT "?" 12}}n{{/compare}}', 'y'],
    ['{{#if (and COUNT (not NONE))}}y{{/if}}{{#if (or NONE false)}}n{{/if}}', 'y'],
    [
      '{{#neither NONE ""}}y{{/neither}}{{#isTruthy COUNT}}y{{/isTruthy}}{{#isFalsey NONE}}y{{/isFalsey}}',
      'yyy',
    ],
    [
      '{{#contains TAGS "env=prod"}}y{{/contains}}{{#contains TAGS "env"}}n{{/contains}}{{#has NAME "quoted"}}y{{/has}}',
      'yy',
    ],
    ['{{default NONE "else"}}{{default COUNT 1}}', 'else12'],
    ['{{#ifEven COUNT}}y{{/ifEven}}{{#ifOdd 3}}y{{/ifOdd}}{{#ifNth 5 COUNT}}n{{/ifNth}}', 'yy'],
    [
      '{{#unlessEq COUNT 1}}y{{/unlessEq}}{{#unlessGt COUNT 1}}n{{/unlessGt}}{{#unlessLt COUNT 1}}y{{/unlessLt}}',
      'yy',
    ],
    ['{{#unlessGteq COUNT 12}}n{{/unlessGteq}}{{#unlessLteq COUNT 12}}n{{/unlessLteq}}.', '.'],
    [
      '{{tagValue TAGS "team" "x"}} {{tagValue TAGS "env"}} {{tagValue TAGS "no" "x"}}',
      'ops prod x',
    ],
    ['{{#startsWith "a " NAME}}y{{/startsWith}}', 'y'],
    ['{{{replace NAME "1" "$&2"}}}', 'a "quoted" <b> & $&2/2'],
    ['{{split "a,b,c" "," 1}}{{split "a" "," 7}}', 'b'],
    ['{{year}} {{year 2}}', '2026 26'],
    ['{{moment}}', '2026-01-15T12:00:00.000Z'],
    [
      '{{date "YYYY/MM"}} {{date STARTED_AT "HH:mm"}} {{moment "2 days ago" "DD"}}',
      '2026/01 11:30 13',
    ],
    ['{{date "no time at all" "DD"}}', ''],
  ])('%s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  test('random ones are of the form that they promise', () => {
    expect(render('{{$UUID}}')).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/,
    );
    expect(Number(render('{{$RANDOM_NUMBER}}'))).toBeLessThanOrEqual(10_000);
  });
});

describe('a value is made safe for where it stands', () => {
  test.each<[Context, string, string]>([
    ['json', '{"a":"{{NAME}}"}', '{"a":"a \\"quoted\\" <b> & 1/2"}'],
    ['json', '{"a":{{COUNT}},"b":{{NONE}},"c":"{{NONE}}"}', '{"a":12,"b":null,"c":""}'],
    ['json', '{"\\"":{{NONE}}}', '{"\\"":null}'],
    ['json', '{"a":"{{{NAME}}}"}', '{"a":"a "quoted" <b> & 1/2"}'],
    [
      'uri',
      'https://x/{{NAME}}?{{{COUNT}}}',
      'https://x/a%20%22quoted%22%20%3Cb%3E%20%26%201%2F2?12',
    ],
    ['form', 'text={{NAME}}', 'text=a%20%22quoted%22%20%3Cb%3E%20%26%201%2F2'],
    [
      'formHtml',
      'text={{NAME}}',
      'text=a%20%26quot%3Bquoted%26quot%3B%20%26lt%3Bb%26gt%3B%20%26amp%3B%201%2F2',
    ],
    ['html', '<p>{{NAME}}</p>', '<p>a &quot;quoted&quot; &lt;b&gt; &amp; 1/2</p>'],
  ])('%s: %s', (context, template, expected) => {
    expect(render(template, context)).toBe(expected);
  });
});

describe('a template that cannot be used is refused with its place', () => {
  test.each([
    ['a\n {{#if X}}', 'this block has no end (line 2, column 2)'],
    ['{{NAME', 'this is no tag of a template (line 1, column 7)'],
    ['{{}}', 'expected a value (line 1, column 1)'],
    ['{{{NAME}}', 'expected "}}}" (line 1, column 8)'],
    ['{{#if X}}{{/unless}}', 'expected {{/if}} (line 1, column 10)'],
    ['{{#if X}}{{else}}{{else}}{{/if}}', 'a second {{else}} (line 1, column 18)'],
    ['x{{/if}}', 'this closes nothing (line 1, column 2)'],
    ['{{else}}', 'this closes nothing (line 1, column 1)'],
    ['a{{> secret}}', 'partials and decorators are not known (line 1, column 2)'],
    ['{{#> layout}}x{{/layout}}', 'partials and decorators are not known (line 1, column 1)'],
    ['{{* decorator}}', 'partials and decorators are not known (line 1, column 1)'],
    ['{{{{raw}}}}{{{{/raw}}}}', 'partials and decorators are not known (line 1, column 1)'],
    ['{{!-- no end', 'this comment has no end (line 1, column 1)'],
    ['{{NAME.constructor}}', 'this is no tag of a template (line 1, column 3)'],
    ['{{lookup NAME "constructor"}}', 'no helper is called "lookup" (line 1, column 3)'],
    ['{{#with NAME}}{{/with}}', 'no helper is called "with" (line 1, column 4)'],
    ['{{#if (log NAME)}}{{/if}}', 'no helper is called "log" (line 1, column 8)'],
    ['{{eq NAME a="b"}}', 'this is no tag of a template (line 1, column 12)'],
    ['{{#each TAGS as |tag|}}{{tag}}{{/each}}', 'this is no tag of a template (line 1, column 16)'],
    ['{{@root}}', '"@root" is not known (line 1, column 3)'],
    ['{{#if}}{{/if}}', '{{#if}} needs one value (line 1, column 1)'],
    ['{{#if A B}}{{/if}}', 'expected one value (line 1, column 1)'],
    ['{{#if (not A}}{{/if}}', 'expected ")" (line 1, column 1)'],
    ['{{not A)}}', '")" closes nothing (line 1, column 1)'],
  ])('%s', (template, message) => {
    expect(() => compileTemplate(template)).toThrow(message);
  });
});

test.each([
  ['blocks in blocks', '{{#if NAME}}'.repeat(60) + '{{/if}}'.repeat(60), 'nested too deep'],
  [
    'blocks beyond any stack',
    '{{#if NAME}}'.repeat(5_000) + '{{/if}}'.repeat(5_000),
    'more than 2000 parts',
  ],
  ['calls in calls', `{{#if ${'(not '.repeat(60)}1${')'.repeat(60)}}}{{/if}}`, 'nested too deep'],
  ['many parts', '{{NAME}}'.repeat(1_001), 'more than 2000 parts'],
])('a template is bounded: %s', (_what, template, message) => {
  expect(() => compileTemplate(template)).toThrow(message);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'what objects inherit is nothing: %s',
  (name) => {
    expect(render(`{{${name}}}{{{${name}}}}`)).toBe('');
    expect(() => compileTemplate(`{{${name} "x"}}`)).toThrow('no helper is called');
  },
);

test('what a template makes is bounded', () => {
  const many = { ...VARIABLES, TAGS: Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)) };
  const template = compileTemplate('{{#each TAGS}}{{this}}{{/each}}');
  const options = { context: 'plain', now: NOW } as const;
  expect(() => renderTemplate(template, many, options)).toThrow('longer than 262144 characters');
  const loops = compileTemplate(
    '{{#each TAGS}}{{#each TAGS}}{{/each}}{{#each TAGS}}{{#if 1}}{{/if}}{{/each}}{{/each}}',
  );
  expect(() => renderTemplate(loops, many, options)).toThrow('more than 50000 steps');
});

test.each([
  ['split', `{{split "${'x'.repeat(60_000)}" "" 0}}`],
  ['date', '{{date "next friday at noon" "Y"}}'],
  ['contains', '{{contains TAGS "zz"}}'],
])('what helpers read counts: %s in a loop', (_name, call) => {
  const many = { ...VARIABLES, TAGS: Array.from({ length: 200 }, () => 'x'.repeat(40)) };
  const template = compileTemplate(`{{#each TAGS}}{{#each TAGS}}${call}{{/each}}{{/each}}`);
  const options = { context: 'plain', now: NOW } as const;
  expect(() => renderTemplate(template, many, options)).toThrow('more than 50000 steps');
});
