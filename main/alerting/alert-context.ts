import type { Configuration } from '#main/store/configuration/configuration.ts';
import { accountAlerting } from '#shared/alerting/account-alerting.ts';
import type { AlertPolicy } from '#shared/alerting/alert.ts';
import { alertSettingsOf } from '#shared/alerting/policy.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { alertedChannels, groupOf, withGroup } from '#shared/groups/merge-group.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';

/** What decides about the alerts of checks. */
export type AlertSources = Pick<Configuration, 'checks' | 'groups' | 'channels' | 'account'>;

/** A check as alerts see it. */
export interface AlertContext {
  /** With the settings of its group in it. */
  check: Check;
  group: Group | undefined;
}

/** A check as it is now; undefined where it is gone. */
export function alertContextOf(checkId: string, sources: AlertSources): AlertContext | undefined {
  const check = sources.checks.get(checkId);
  if (check === undefined) return undefined;
  const group = groupOf(check, sources.groups);
  return { check: withGroup(check, group), group };
}

/** The settings that apply to a check. */
export function policyOf(check: Check, silenced: boolean, { account }: AlertSources): AlertPolicy {
  const alerting = accountAlerting(account.all()[0]);
  return {
    settings: alertSettingsOf(check, alerting.alertSettings),
    muted: check.muted,
    silenced,
    flapping: alerting.flapping,
  };
}

/**
 * The channels that there are of those that a check alerts, each once.
 * @param group where its settings are not in the check yet
 */
export function channelsOf(
  check: Check,
  { channels }: Pick<AlertSources, 'channels'>,
  group?: Group,
): AlertChannel[] {
  return [...alertedChannels(check, group)].flatMap((id) => channels.get(String(id)) ?? []);
}
