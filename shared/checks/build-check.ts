import type { Check } from './check.ts';
import type { CheckType } from './enums.ts';
import { defaultFrequencyOffset } from './schedule.ts';
import type { Members } from './schemas.ts';

/** What the appliance gives a new check. */
export interface NewIdentity {
  /** UUID. */
  id: string;
  /** Epoch milliseconds. */
  now: number;
  /** For a heartbeat that was given no token. */
  pingToken: string;
}

/** A new check from the members that its create schema let through. */
export function buildCheck(type: CheckType, members: Members, identity: NewIdentity): Check {
  const { id, now, pingToken } = identity;
  const check = {
    ...members,
    id,
    checkType: type,
    created_at: new Date(now).toISOString(),
    updated_at: null,
    ...(type === 'HEARTBEAT' && { heartbeat: withToken(members.heartbeat, pingToken) }),
  };
  return withOffset(check);
}

/**
 * The check after an update: members left out stay, an object that is sent replaces the old one
 * whole. `changes` has passed the update schema.
 */
export function changedCheck(check: Check, changes: Members, now: number): Check {
  const before = check as unknown as Members;
  const { id, checkType, created_at } = check;
  const frequencyChanged = changes.frequency !== undefined && changes.frequency !== check.frequency;
  return withOffset({
    ...before,
    // An offset belongs to its frequency.
    ...(frequencyChanged && { frequencyOffset: undefined }),
    ...changes,
    ...nestedChanges(check, changes),
    id,
    checkType,
    created_at,
    updated_at: new Date(now).toISOString(),
  });
}

function nestedChanges(check: Check, changes: Members): Members {
  const nested: Members = {};
  if (check.checkType === 'HEARTBEAT' && changes.heartbeat !== undefined) {
    nested.heartbeat = withToken(changes.heartbeat, check.heartbeat.pingToken);
  }
  if ('environmentVariables' in check && Array.isArray(changes.environmentVariables)) {
    nested.environmentVariables = keepSecrets(
      changes.environmentVariables as Variable[],
      check.environmentVariables ?? [],
    );
  }
  return nested;
}

function withToken(heartbeat: unknown, pingToken: string | undefined): Members {
  const { pingToken: given, ...settings } = heartbeat as Members;
  return { ...settings, pingToken: given ?? pingToken };
}

interface Variable {
  key: string;
  value: string | null;
  locked: boolean;
  secret: boolean;
}

/**
 * A secret stays one, and keeps its value where the update has null: that is what clients read,
 * and what they send back.
 */
export function keepSecrets(after: readonly Variable[], before: readonly Variable[]): Variable[] {
  const secrets = new Map(before.filter(({ secret }) => secret).map((one) => [one.key, one]));
  return after.map((one) => {
    const kept = secrets.get(one.key);
    if (kept === undefined) return one;
    return { ...one, secret: true, value: one.value ?? kept.value };
  });
}

/** A check that runs on a schedule has an offset, kept and returned. */
function withOffset(members: Members): Check {
  // The members are those of one type's schema, which the type system cannot follow.
  const check = members as unknown as Check;
  if (check.checkType === 'HEARTBEAT') return check;
  const frequencyOffset =
    check.frequencyOffset ?? defaultFrequencyOffset(check.id, check.frequency);
  return { ...check, frequencyOffset } as Check;
}
