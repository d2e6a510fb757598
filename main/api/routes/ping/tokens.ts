import type { Collection } from '#main/store/configuration/configuration.ts';
import { type Check, isHeartbeat } from '#shared/checks/check.ts';

/** Where pings go: `/ping/{token}`. */
export const PING_PATH = '/ping/';

/**
 * The token of a ping's path, undefined where the path is none: read as the router reads it, which
 * takes capitals in the path and a slash at its end.
 */
export function pingTokenOf(path: string): string | undefined {
  return /^\/ping\/([^/]+)\/?$/i.exec(path)?.[1];
}

/** Which heartbeat check a ping token belongs to. */
export interface PingTokens {
  checkOf(token: string): string | undefined;
}

/** An index of the checks' tokens, kept current with every change; each look-up takes one step. */
export function indexPingTokens(checks: Collection<Check>): PingTokens {
  const checkIds = new Map<string, string>();
  const forget = (check: Check) => {
    const token = tokenOf(check);
    if (token !== undefined && checkIds.get(token) === check.id) checkIds.delete(token);
  };
  const learn = (check: Check) => {
    const token = tokenOf(check);
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

function tokenOf(check: Check): string | undefined {
  return isHeartbeat(check) ? check.heartbeat.pingToken : undefined;
}
