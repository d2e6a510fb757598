import { expect, test } from 'vitest';
import { askedBy, shownUrl } from '#main/alerting/asked.ts';
import type { Check } from '#shared/checks/check.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import { makeCheck } from '../../fixtures/checks.ts';

test.each<[CheckType, string | null]>([
  ['API', 'http://127.0.0.1:9/'],
  ['URL', 'http://127.0.0.1:9/'],
  ['TCP', '127.0.0.1:9'],
  ['DNS', 'example.test'],
  ['ICMP', '127.0.0.1'],
  ['HEARTBEAT', null],
  ['BROWSER', null],
])('an alert of a check of type %s tells that it asked %s', (type, target) => {
  expect(askedBy(makeCheck(type) as Check)).toBe(target);
});

test.each([
  ['https://user:pass@shop.example.com/a?key=k#top', 'https://shop.example.com/a'],
  ['{{GROUP_BASE_URL}}/health?key={{KEY}}', '{{GROUP_BASE_URL}}/health'],
  ['https://shop.example.com/@me', 'https://shop.example.com/@me'],
])('of the URL %s an alert tells %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});
