import { describe, expect, it } from 'vitest';
import { ALERT_TYPES, type AlertType } from '#shared/alerting/alert-type.ts';
import { channelWants } from '#shared/notifications/channel-flags.ts';

const NONE = { sendRecovery: false, sendFailure: false, sendDegraded: false, sslExpiry: false };
const ALL = { sendRecovery: true, sendFailure: true, sendDegraded: true, sslExpiry: true };
const DEFAULTS = { ...NONE, sendRecovery: true, sendFailure: true };

/** Contract 6.3, table "Flag". */
const WANTED_BY: [flag: keyof typeof ALL, types: AlertType[]][] = [
  ['sendRecovery', ['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY']],
  ['sendFailure', ['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE']],
  ['sendDegraded', ['ALERT_DEGRADED', 'ALERT_DEGRADED_REMAIN', 'ALERT_FAILURE_DEGRADED']],
  ['sslExpiry', ['ALERT_SSL']],
];

describe.each(WANTED_BY)('%s', (flag, types) => {
  it.each(ALERT_TYPES)('decides about %s as the table says', (type) => {
    const isOn = channelWants(ALL, type);
    const isOff = channelWants({ ...ALL, [flag]: false }, type);
    expect(isOn && !isOff).toBe(types.includes(type));
  });
});

it('nobody wants NO_ALERT', () => {
  expect(channelWants(ALL, 'NO_ALERT')).toBe(false);
});

it.each(ALERT_TYPES)('a channel without flags does not want %s', (type) => {
  expect(channelWants(NONE, type)).toBe(false);
});

describe('a recovery from degraded runs is for who was told of the trouble', () => {
  const degraded = { degraded: true, failing: false };
  const failing = { degraded: true, failing: true };
  it.each([
    ['not with the default flags, when it was degraded only', DEFAULTS, degraded, false],
    ['with the default flags, when it had failed before', DEFAULTS, failing, true],
    ['with sendDegraded', { ...DEFAULTS, sendDegraded: true }, degraded, true],
    ['not without sendRecovery', { ...ALL, sendRecovery: false }, failing, false],
  ])('%s', (_when, flags, told, wanted) => {
    expect(channelWants(flags, 'ALERT_DEGRADED_RECOVERY', told)).toBe(wanted);
  });
});
