import { describe, expect, test } from 'vitest';
import { MAX_RENDERED_CHARS, renderTemplate } from '#workers/http/request-template.ts';

const VARIABLES = { NAME: 'v&l<ue', 'my-key': '2', EMPTY: '', NESTED: '{{NAME}}', 'a.b': '3' };

describe('a template', () => {
  test.each([
    ['{{NAME}}', 'v&l<ue'],
    ['{{{NAME}}}', 'v&l<ue'],
    ['{{ NAME }}/{{my-key}}/{{a.b}}', 'v&l<ue/2/3'],
    ['{"a":{"b":{{my-key}}}}', '{"a":{"b":2}}'],
    ['{"a":{{{my-key}}}}', '{"a":2}'],
    ['<{{EMPTY}}>', '<>'],
    ['{{NESTED}}', '{{NAME}}'],
    ['no braces', 'no braces'],
    ['{ {NAME} }', '{ {NAME} }'],
    ['{{{{NAME}}}}', '{v&l<ue}'],
  ])('%s becomes %s', (text, expected) => {
    expect(renderTemplate(text, VARIABLES)).toMatchObject({ text: expected, unknown: [] });
  });

  test('names what is unknown once, and leaves it as it is written', () => {
    const text = '{{A}} {{ B }} {{A}} {{NAME}}';
    expect(renderTemplate(text, VARIABLES)).toMatchObject({
      text: '{{A}} {{ B }} {{A}} v&l<ue',
      unknown: ['{{A}}', '{{ B }}'],
    });
  });

  test('has another UUID and number at every place', () => {
    const { text } = renderTemplate('{{$UUID}} {{$UUID}}', {});
    const [one, other] = text.split(' ');
    expect(one).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(other).not.toBe(one);
    const numbers = renderTemplate('{{$RANDOM_NUMBER}} '.repeat(50), {}).text.trim().split(' ');
    expect(numbers.every((number) => Number(number) >= 0 && Number(number) <= 10_000)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(1);
  });

  test.each([
    '{{constructor}}',
    '{{__proto__}}',
    '{{{toString}}}',
    '{{constructor.constructor "return process"}}',
    '{{NAME.constructor.constructor}}',
    '{{lookup this "constructor"}}',
    '{{this}}',
    '{{.}}',
    '{{../NAME}}',
    '{{@root}}',
    '{{@root.NAME}}',
    '{{#with NAME}}x{{/with}}',
    '{{#each NAME}}{{#each NAME}}x{{/each}}{{/each}}',
    '{{#with "constructor" as |c|}}{{lookup c "x"}}{{/with}}',
    '{{> NAME}}',
    '{{> (lookup . "NAME")}}',
    '{{* decorator}}',
    '{{#*inline "x"}}y{{/inline}}{{> x}}',
    '{{helperMissing "x"}}',
    '{{blockHelperMissing}}',
    '{{__defineGetter__ "x" "y"}}',
    '{{log "x"}}',
    '{{moment (lookup . "constructor")}}',
    '{{moment format=1}}',
    '{{! NAME }}',
    '{{~NAME~}}',
    '{{',
    '{{NAME',
    '{{NAME}',
    '{{}}',
    '{{moment "}}"}}',
    `{{${'x'.repeat(501)}}}`,
  ])('that is more than a name stays as it is written: %s', (text) => {
    expect(renderTemplate(text, VARIABLES).text).toBe(text);
  });

  test('is bounded in what it grows to', () => {
    const { text, isTooLarge } = renderTemplate('{{A}}'.repeat(100_000), { A: 'x'.repeat(64_000) });
    expect(isTooLarge).toBe(true);
    expect(text.length).toBe(MAX_RENDERED_CHARS);
    expect(renderTemplate('{{A}}', { A: 'x'.repeat(64_000) }).isTooLarge).toBe(false);
  });

  test('is bounded in the helpers that it calls and the names that it complains of', () => {
    const text = '{{$RANDOM_NUMBER}}'.repeat(1_000);
    expect(renderTemplate(text, {}).text.match(/\{\{/g)).toHaveLength(800);
    const names = Array.from({ length: 1_000 }, (_, index) => `{{N${index}}}`).join('');
    expect(renderTemplate(names, {}).unknown).toHaveLength(20);
  });

  test('takes no more than a moment for a text made to be slow', () => {
    for (const part of ['{', '{{', '{{a', '{{{', '{{a}', '{{moment "']) {
      const text = part.repeat(1_000_000 / part.length);
      expect(renderTemplate(text, {}).text).toBe(text);
    }
  });
});

describe('moment', () => {
  test('of more than a time and a format stays as it is written', () => {
    const text = '{{moment "now" "X" "more"}} {{moment "no time at all" "X"}}';
    expect(renderTemplate(text, {}).text).toBe(text);
  });

  test('is written with quotes of either kind', () => {
    const { text } = renderTemplate(`{{moment "2 days ago" 'YYYY'}} {{moment}}`, {});
    expect(text).toMatch(/^\d{4} \d{4}-\d\d-\d\dT/);
  });
});
