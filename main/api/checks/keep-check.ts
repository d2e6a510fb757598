import { type Check, isHeartbeat } from '#shared/check/check.ts';
import { checkRules } from '#shared/check/rules.ts';
import { CHANNELS } from '../alert-channels/lock.ts';
import { refuseProblems } from '../api-error.ts';
import type { Context } from '../operation.ts';
import { directoryOf, referenceProblems } from '../references.ts';
import { SNIPPETS, snippetIdsOf } from '../snippets/uses.ts';
import type { Members } from './schemas.ts';

/** Ids of other things that a body names: each must exist. */
export function refuseUnknownIds(body: Members, { configuration }: Context): void {
  const problems = referenceProblems(body, directoryOf(configuration));
  refuseProblems({ source: 'payload', problems });
}

/** The rules between members, for a check whose members come from two requests. */
export function refuseBrokenRules(check: Check): void {
  const problems = checkRules(check as unknown as Members);
  refuseProblems({
    source: 'payload',
    problems: problems.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

/**
 * Keeps a check; a ping token belongs to one check only, and the snippets and alert channels of a
 * check exist.
 */
export async function keepCheck(check: Check, context: Context): Promise<void> {
  const { alertChannelSubscriptions } = check;
  if (alertChannelSubscriptions.length === 0) return keepSnippetsAndToken(check, context);
  return context.serial(CHANNELS, () => {
    // Once more, as below.
    refuseUnknownIds({ alertChannelSubscriptions }, context);
    return keepSnippetsAndToken(check, context);
  });
}

async function keepSnippetsAndToken(check: Check, context: Context): Promise<void> {
  const { setupSnippetId, tearDownSnippetId } = check as unknown as Members;
  if (snippetIdsOf(check).length > 0) {
    return context.serial(SNIPPETS, () => {
      // Once more: one may have been deleted while this check waited for its turn.
      refuseUnknownIds({ setupSnippetId, tearDownSnippetId }, context);
      return context.configuration.checks.put(check);
    });
  }
  const token = isHeartbeat(check) ? check.heartbeat.pingToken : undefined;
  if (token === undefined) return context.configuration.checks.put(check);
  await context.serial(`ping token ${token}`, async () => {
    refuseTakenToken(check.id, token, context);
    await context.configuration.checks.put(check);
  });
}

function refuseTakenToken(checkId: string, token: string, { pingTokens }: Context): void {
  const owner = pingTokens.checkOf(token);
  if (owner === undefined || owner === checkId) return;
  const message = 'expected a token that no other check has';
  refuseProblems({ source: 'payload', problems: [{ path: 'heartbeat.pingToken', message }] });
}

/** Changes of one check wait for each other, so that none is lost between a read and a write. */
export const checkKey = (checkId: string): string => `check ${checkId}`;
