import type { ShownCheck } from '#renderer/api/answers.ts';
import type { Members } from '#renderer/parts/form/members.ts';

/** Members of an answer that the appliance gives, or that a form has no place for. */
const OWN: ReadonlySet<string> = new Set([
  'id',
  'checkType',
  'created_at',
  'updated_at',
  'alertChannels',
  'projectBindings',
  'setupScriptDependencies',
  'tearDownScriptDependencies',
  'intent',
]);

/** A check as its form begins: the members that can be sent back. */
export function editableBody(check: ShownCheck): Members {
  const body: Members = Object.fromEntries(
    Object.entries(check).filter(([name]) => !OWN.has(name)),
  );
  if (check.checkType !== 'HEARTBEAT') return body;
  const { period, periodUnit, grace, graceUnit } = check.heartbeat;
  return { ...body, heartbeat: { period, periodUnit, grace, graceUnit } };
}
