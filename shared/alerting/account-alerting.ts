import { type AlertSettings, alertSettings } from '#shared/checks/blocks.ts';
import { type FlapSettings, flapSettings } from './flap-settings.ts';

/** How the account alerts: what checks use that have no settings of their own. */
export interface AccountAlerting {
  alertSettings: AlertSettings;
  flapping: FlapSettings;
}

const DEFAULTS: AccountAlerting = {
  alertSettings: alertSettings.parse({}),
  flapping: flapSettings.parse({}),
};

/** The members of an account that say how it alerts. */
export type AlertingAccount = { [K in keyof AccountAlerting]?: AccountAlerting[K] | undefined };

/** What an account says of alerts, the defaults where it says nothing. */
export function accountAlerting(account: AlertingAccount | undefined): AccountAlerting {
  return {
    alertSettings: account?.alertSettings ?? DEFAULTS.alertSettings,
    flapping: account?.flapping ?? DEFAULTS.flapping,
  };
}
