import { directoryOf, REFERENCES, referenceProblems } from '#main/services/references.ts';
import { refuseProblems } from '#main/services/service-error.ts';
import type { Problem } from '#shared/api/problems.ts';
import { type Check, isHeartbeat } from '#shared/checks/check.ts';
import { checkRules } from '#shared/checks/rules.ts';
import type { Context } from '../../operation.ts';
import type { Members } from './schemas.ts';

/** Ids of other things that a body names: each must exist. */
export function refuseUnknownIds(body: Readonly<Members>, { configuration }: Context): void {
  const problems = referenceProblems(body, directoryOf(configuration));
  refuseProblems({ source: 'payload', problems });
}

/**
 * The rules between members, for a check whose members come from two requests. What the stored check
 * breaks already, being older than a rule, does not stand in the way of other changes.
 */
export function refuseBrokenRules(check: Check, before: Check): void {
  const known = new Set(brokenRules(before).map(({ path }) => path));
  const problems = brokenRules(check).filter(({ path }) => !known.has(path));
  refuseProblems({ source: 'payload', problems });
}

function brokenRules(check: Check): Problem[] {
  const broken = checkRules(check.checkType, check as unknown as Members);
  return broken.map(({ path, message }) => ({ path: path.join('.'), message }));
}

/**
 * Keeps the check that is drafted; what it names exists, and a ping token belongs to one check only.
 * A check that has to wait for its turn is drafted anew: what it names may be gone by then.
 */
export async function keepCheck(draft: () => Check, context: Context): Promise<Check> {
  const check = draft();
  const before = context.configuration.checks.get(check.id);
  if (Object.keys(newReferences(check, before)).length === 0) return keepWithToken(check, context);
  return context.mutex(REFERENCES, () => {
    const current = draft();
    refuseUnknownIds(newReferences(current, before), context);
    return keepWithToken(current, context);
  });
}

/** What may be deleted only while no check names it. */
const REFERRING = ['groupId', 'setupSnippetId', 'tearDownSnippetId'];

/**
 * The references that a check did not have before. Only they wait for their turn: nobody deletes
 * what the check that is stored names already.
 */
function newReferences(check: Check, before: Check | undefined): Members {
  const [now, then] = [check, before ?? {}] as unknown as Members[];
  const added = REFERRING.filter((name) => now?.[name] != null && now[name] !== then?.[name]);
  const { alertChannelSubscriptions } = check;
  return {
    ...Object.fromEntries(added.map((name) => [name, now?.[name]])),
    // Channels go with their subscriptions, so a check that keeps one waits as well.
    ...(alertChannelSubscriptions.length > 0 && { alertChannelSubscriptions }),
  };
}

async function keepWithToken(check: Check, context: Context): Promise<Check> {
  const token = isHeartbeat(check) ? check.heartbeat.pingToken : undefined;
  if (token === undefined) return put(check, context);
  return context.mutex(`ping token ${token}`, () => {
    refuseTakenToken(check.id, token, context);
    return put(check, context);
  });
}

async function put(check: Check, { configuration }: Context): Promise<Check> {
  await configuration.checks.put(check);
  return check;
}

function refuseTakenToken(checkId: string, token: string, { pingTokens }: Context): void {
  const owner = pingTokens.checkOf(token);
  if (owner === undefined || owner === checkId) return;
  const message = 'expected a token that no other check has';
  refuseProblems({ source: 'payload', problems: [{ path: 'heartbeat.pingToken', message }] });
}

/** Changes of one check wait for each other, so that none is lost between a read and a write. */
export const checkKey = (checkId: string): string => `check ${checkId}`;
