import { expect, it } from 'vitest';
import { alertSettingsOf, quietedBy } from '#shared/alerting/policy.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import { policy } from './stories.ts';

const own = policy({ threshold: 2 }).settings;
const account = policy({ threshold: 5 }).settings;

it('a check has the settings of the account where it says so', () => {
  const check = { useGlobalAlertSettings: true, alertSettings: own };
  expect(alertSettingsOf(check, account)).toBe(account);
});

it('a check has its own settings otherwise', () => {
  const check = { useGlobalAlertSettings: false, alertSettings: own };
  expect(alertSettingsOf(check, account)).toBe(own);
});

it('a check whose own settings are null has the defaults', () => {
  const check = { useGlobalAlertSettings: false, alertSettings: null };
  expect(alertSettingsOf(check, account)).toEqual(alertSettings.parse({}));
});

it.each([
  [false, false, null],
  [false, true, 'maintenance'],
  [true, false, 'muted'],
  [true, true, 'muted'],
])('muted %s, silenced %s: withheld because %s', (muted, silenced, withheld) => {
  expect(quietedBy({ muted, silenced })).toBe(withheld);
});
