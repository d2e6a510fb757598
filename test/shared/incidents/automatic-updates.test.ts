import { expect, test } from 'vitest';
import { durationInWords } from '#shared/incidents/automatic-updates.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

test.each([
  [0, 'less than a second'],
  [499, 'less than a second'],
  [SECOND, '1 second'],
  [59.4 * SECOND, '59 seconds'],
  [59.6 * SECOND, '1 minute'],
  [2 * MINUTE, '2 minutes'],
  [2 * MINUTE + 5 * SECOND, '2 minutes 5 seconds'],
  [HOUR + 5 * MINUTE + 7 * SECOND, '1 hour 5 minutes'],
  [HOUR + 7 * SECOND, '1 hour'],
  [DAY, '1 day'],
  [40 * DAY + 3 * HOUR + MINUTE, '40 days 3 hours'],
])('%d ms in words are %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});
