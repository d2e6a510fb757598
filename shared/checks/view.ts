import { NO_PROJECT } from '#shared/api/project.ts';
import { CHECK_KINDS, type Check, isHeartbeat } from './check.ts';
import { PING_PATH } from './heartbeat.ts';
import { viewIntentV3 } from './intent.ts';
import { ABSENT_UNLESS_SET, type Members } from './schemas.ts';

/** Which answer a check is shown in: they differ in what they say of projects and of its intent. */
export type ViewShape = 'mutation' | 'v1' | 'v2' | 'v3';

export interface ViewOptions {
  shape: ViewShape;
  /** Where ping URLs begin, without a slash at its end. */
  baseUrl: string;
  /** Whether the contents of `dependencies` are shown. */
  dependencies: boolean;
}

/** Nobody deploys checks from a project, nor has scripts of more than one file. */
const PROJECT_BINDINGS = { projectBindings: NO_PROJECT };
const READ_MEMBERS = {
  ...PROJECT_BINDINGS,
  setupScriptDependencies: null,
  tearDownScriptDependencies: null,
};
const CONSTANT_MEMBERS: Record<ViewShape, Members> = {
  mutation: PROJECT_BINDINGS,
  v1: { project: null, logicalId: null, member: null, pending: null, ...READ_MEMBERS },
  v2: READ_MEMBERS,
  v3: READ_MEMBERS,
};

/** A check as the API answers it: every field of its type, secrets left out. */
export function viewCheck(check: Check, options: ViewOptions): Members {
  return {
    id: check.id,
    checkType: check.checkType,
    ...fieldsOf(check, options.dependencies),
    ...keptScriptOf(check),
    ...(options.shape === 'v3' && check.intent && { intent: viewIntentV3(check.intent) }),
    ...(isHeartbeat(check) && { heartbeat: withPingUrl(check.heartbeat, options.baseUrl) }),
    created_at: check.created_at,
    updated_at: check.updated_at,
    alertChannels: {},
    ...CONSTANT_MEMBERS[options.shape],
  };
}

function fieldsOf(check: Check, dependencies: boolean): Members {
  const stored = check as unknown as Members;
  const names = Object.keys(CHECK_KINDS[check.checkType].fields)
    .filter((name) => dependencies || name !== 'dependencies')
    .filter((name) => stored[name] !== undefined || !ABSENT_UNLESS_SET.includes(name));
  const fields = Object.fromEntries(names.map((name) => [name, stored[name] ?? null]));
  if (!('environmentVariables' in check)) return fields;
  return { ...fields, environmentVariables: hideSecrets(check.environmentVariables ?? null) };
}

/** The script that a generic route was sent for a check that runs none. */
function keptScriptOf(check: Check): Members {
  const { script } = check as unknown as Members;
  return script === undefined ? {} : { script };
}

/** Values of secrets are written, never read. */
export function hideSecrets<V extends { secret: boolean; value: string | null }>(
  variables: readonly V[] | null,
) {
  return variables?.map((one) => (one.secret ? { ...one, value: null } : one)) ?? null;
}

function withPingUrl(heartbeat: { pingToken?: string | undefined }, baseUrl: string) {
  const base = baseUrl.replace(/\/$/, '');
  return { ...heartbeat, pingUrl: `${base}${PING_PATH}${heartbeat.pingToken}` };
}
