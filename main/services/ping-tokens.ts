import type { Collection } from '#main/store/configuration/configuration.ts';
import { type Check, isHeartbeat } from '#shared/checks/check.ts';

/** Which heartbeat check a ping token belongs to. */
export interface PingTokens {
  checkOf(token: string): string | undefined;
}

/** An index of the checks' tokens, kept current with every change; each look-up takes one step. */
export function indexPingTokens(checks: Collection<Check>): PingTokens {
  const checkIds = new Map<string, string>();
  const forget = (check: Check) => {
    const token = pingTokenOf(check);
    if (token !== undefined && checkIds.get(token) === check.id) checkIds.delete(token);
  };
  const learn = (check: Check) => {
    const token = pingTokenOf(check);
    if (token !== undefined) checkIds.set(token, check.id);
  };
  checks.all().forEach(learn);
  checks.subscribe((change) => {
    if (change.kind === 'delete') return forget(change.record);
    if (change.previous !== undefined) forget(change.previous);
    learn(change.record);
  });
  return { checkOf: (token) => checkIds.get(token.toLowerCase()) };
}

/** The token of a heartbeat check; undefined for a check of another type. */
export function pingTokenOf(check: Check): string | undefined {
  return isHeartbeat(check) ? check.heartbeat.pingToken : undefined;
}
