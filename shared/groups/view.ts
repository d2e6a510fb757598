import { z } from 'zod';
import { type AlertingAccount, accountAlerting } from '#shared/alerting/account-alerting.ts';
import { NO_PROJECT, projectBindings } from '#shared/api/project.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import type { Check } from '#shared/checks/check.ts';
import { hideSecrets } from '#shared/checks/view.ts';
import { type Group, storedGroup } from './group.ts';

/**
 * A group as a write answers it. Where its alert settings were never set, those of the account are
 * shown: `useGlobalAlertSettings` says which count.
 */
export const groupView = storedGroup.extend({
  id: z.int().positive(),
  runParallel: storedGroup.shape.runParallel.unwrap(),
  alertSettings,
});

/** A group as it is read. */
export const groupRead = groupView.extend({
  checks: z.array(z.uuid()).meta({ description: 'The checks of the group.' }),
  projectBindings,
});

/** A group of the account given as a write answers it, secrets left out. */
export function viewGroup(group: Group, account: AlertingAccount): z.output<typeof groupView> {
  // A file that a newer version wrote may hold members that this one does not know.
  return groupView.parse({
    ...group,
    id: Number(group.id),
    runParallel: group.runParallel === undefined ? false : group.runParallel,
    alertSettings: group.alertSettings ?? accountAlerting(account).alertSettings,
    environmentVariables: hideSecrets(group.environmentVariables),
  });
}

/** A group as it is read, with the ids of its checks. */
export function readGroupView(
  group: Group,
  checks: readonly Pick<Check, 'id'>[],
  account: AlertingAccount,
): z.output<typeof groupRead> {
  return {
    ...viewGroup(group, account),
    checks: checks.map(({ id }) => id),
    projectBindings: NO_PROJECT,
  };
}
