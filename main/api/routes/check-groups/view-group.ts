import type { z } from 'zod';
import { accountAlerting } from '#main/alerting/account-alerting.ts';
import type { Account } from '#main/store/configuration/configuration.ts';
import { NO_PROJECT } from '#shared/api/project.ts';
import type { Check } from '#shared/checks/check.ts';
import { type Group, type groupRead, groupView } from '#shared/groups/group.ts';
import { hideSecrets } from '../checks/view-check.ts';

/** A group of the account given as a write answers it, secrets left out. */
export function viewGroup(group: Group, account: Account): z.output<typeof groupView> {
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
  account: Account,
): z.output<typeof groupRead> {
  return {
    ...viewGroup(group, account),
    checks: checks.map(({ id }) => id),
    projectBindings: NO_PROJECT,
  };
}
