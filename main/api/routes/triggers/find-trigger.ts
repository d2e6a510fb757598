import type { Configuration } from '#main/store/configuration/configuration.ts';
import { isSameTarget, type Trigger, type TriggerTarget } from '#shared/sessions/trigger.ts';

/** Changes of triggers wait for each other: a target has one at most, and no number is given twice. */
export const TRIGGERS = 'triggers';

type Stored = Pick<Configuration, 'checks' | 'groups' | 'triggers'>;

/** The trigger of a check or group; undefined where it has none, or is gone itself. */
export function triggerOf(target: TriggerTarget, stored: Stored): Trigger | undefined {
  const trigger = stored.triggers.all().find((one) => isSameTarget(one.target, target));
  return targetExists(target, stored) ? trigger : undefined;
}

/** Whether what a trigger runs is still there. */
export function targetExists(target: TriggerTarget, { checks, groups }: Stored): boolean {
  return 'checkId' in target
    ? checks.get(target.checkId) !== undefined
    : groups.get(String(target.groupId)) !== undefined;
}
