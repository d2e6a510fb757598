import type { Account } from '#main/store/configuration/configuration.ts';
import { type FlapSettings, flapSettings } from '#shared/alerting/flap-settings.ts';
import { type AlertSettings, alertSettings } from '#shared/checks/blocks.ts';

/** How the account alerts: what checks use that have no settings of their own. */
interface AccountAlerting {
  alertSettings: AlertSettings;
  flapping: FlapSettings;
}

const DEFAULTS: AccountAlerting = {
  alertSettings: alertSettings.parse({}),
  flapping: flapSettings.parse({}),
};

/** What an account says of alerts, the defaults where it says nothing. */
export function accountAlerting(
  account: Pick<Account, 'alertSettings' | 'flapping'> | undefined,
): AccountAlerting {
  return {
    alertSettings: account?.alertSettings ?? DEFAULTS.alertSettings,
    flapping: account?.flapping ?? DEFAULTS.flapping,
  };
}
