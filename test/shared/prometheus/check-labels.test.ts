import { describe, expect, test } from 'vitest';
import { checkLabels } from '#shared/prometheus/check-labels.ts';
import { labelText } from '#shared/prometheus/exposition.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';

const BUILT_IN = ['name', 'check_id', 'check_type', 'muted', 'activated', 'group', 'tags'];

/** The labels that tags alone cause. */
function labelsOfTags(...tags: string[]): object {
  const all = checkLabels(makeCheck('URL', { tags }), undefined, true);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !BUILT_IN.includes(name)));
}

test('a check has the labels that clients know, with what its group says', () => {
  const check = makeCheck('MULTI_STEP', { name: 'Shop', tags: ['eu'] });
  const group = makeGroup('v2', { name: 'Web', tags: ['env:live', 'eu'], muted: true });
  expect(checkLabels(check, group, false)).toEqual({
    name: 'Shop',
    check_id: check.id,
    check_type: 'multi_step',
    muted: 'true',
    activated: 'true',
    group: 'Web',
    tags: 'eu,env:live',
  });
  const alone = checkLabels(makeCheck('API', { activated: false, tags: [] }), undefined, true);
  expect(alone).toMatchObject({ muted: 'false', activated: 'false' });
  expect(alone).not.toHaveProperty('group');
  expect(alone).not.toHaveProperty('tags');
});

describe('a tag', () => {
  test.each<[string[], object]>([
    [['env:production'], { env: 'production' }],
    [['plain', 'empty:', ':nameless'], {}],
    [['url:https://a.example'], { url: 'https://a.example' }],
    [['cost center:12'], { cost_center: '12' }],
    [['größe:5'], { gr__e: '5' }],
    [['1st:yes'], { _1st: 'yes' }],
    [['__name__:evil'], { _name__: 'evil' }],
    [[' :blank'], { _: 'blank' }],
    [
      ['name:x', 'le:1', 'location:moon', 'type:a'],
      {
        tag_name: 'x',
        tag_le: '1',
        tag_location: 'moon',
        tag_type: 'a',
      },
    ],
    [['env:a', 'env:b'], { env: 'a,b' }],
    [['a-b:1', 'a.b:2'], { a_b: '1,2' }],
    [['note:two\nlines'], { note: 'two\nlines' }],
  ])('%j gives %j', (tags, labels) => {
    expect(labelsOfTags(...tags)).toEqual(labels);
  });

  test('is no label where that is not wanted', () => {
    const check = makeCheck('URL', { tags: ['env:production'] });
    expect(checkLabels(check, undefined, false)).not.toHaveProperty('env');
  });
});

test.each([
  ['plain', 'a="plain"'],
  ['say "hi"', 'a="say \\"hi\\""'],
  ['C:\\temp', 'a="C:\\\\temp"'],
  ['two\nlines', 'a="two\\nlines"'],
  ['\\n', 'a="\\\\n"'],
  ['{}=,é☃', 'a="{}=,é☃"'],
])('the value %j is written %s', (value, text) => {
  expect(labelText({ a: value })).toBe(text);
});
