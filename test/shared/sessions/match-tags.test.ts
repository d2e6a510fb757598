import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MatchTags, matchesTags } from '#shared/sessions/match-tags.ts';

test.each<[string[], MatchTags, boolean]>([
  [['prod'], [['prod']], true],
  [['prod'], [['staging']], false],
  [['prod', 'api'], [['prod', 'api']], true],
  [['prod'], [['prod', 'api']], false],
  [['prod'], [['staging'], ['prod']], true],
  [['prod'], [['staging', 'prod'], ['api']], false],
  [['prod'], [['!staging']], true],
  [['staging'], [['!staging']], false],
  [[], [['!staging']], true],
  [['prod', 'api'], [['prod', '!api']], false],
  [['prod'], [['prod', '!api']], true],
  [['Prod'], [['prod']], false],
  [['a!b'], [['a!b']], true],
  [['!a'], [['!!a']], false],
  [['prod'], [], false],
])('tags %j match %j: %s', (tags, wanted, answer) => {
  expect(matchesTags(tags, wanted)).toBe(answer);
});

const tag = fc.constantFrom('a', 'b', 'c', 'd');
test('a tag and its negation never both match', () => {
  fc.assert(
    fc.property(fc.array(tag), tag, (tags, wanted) => {
      expect(matchesTags(tags, [[wanted]])).toBe(!matchesTags(tags, [[`!${wanted}`]]));
    }),
  );
});
