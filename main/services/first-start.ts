import { randomUUID } from 'node:crypto';
import type { Account, Configuration } from '#main/store/configuration/configuration.ts';
import { DEFAULT_RUNTIME_ID } from '#shared/checks/enums.ts';
import type { Clock } from '#shared/clock.ts';
import { createKey, keyRecord } from './keys.ts';

/** The one account; made at the first start, renamed where the operator sets another id. */
export async function ensureAccount(
  { account: accounts }: Configuration,
  wantedId: string | null,
  clock: Clock,
): Promise<Account> {
  const known = accounts.all()[0];
  if (known && (wantedId === null || wantedId === known.id)) return known;
  const account = {
    name: 'Watchpost',
    runtimeId: DEFAULT_RUNTIME_ID,
    created_at: new Date(clock.now()).toISOString(),
    ...known,
    id: wantedId ?? randomUUID(),
  };
  await accounts.put(account);
  if (known) await accounts.delete(known.id);
  return account;
}

/**
 * Makes sure that somebody can get in: adds the operator's key, or makes one where there is none.
 *
 * @returns a key that was made, to be shown once; null where none was needed
 */
export async function ensureKey(
  { keys }: Configuration,
  operatorKey: string | null,
  clock: Clock,
): Promise<string | null> {
  if (operatorKey !== null) {
    const record = keyRecord(operatorKey, 'WATCHPOST_API_KEY', clock.now());
    const known = keys.all().find(({ hash }) => hash === record.hash);
    if (known === undefined) await keys.put(record);
    // A key from before fewer characters were shown.
    else if (known.prefix.length > record.prefix.length) {
      await keys.put({ ...known, prefix: record.prefix });
    }
    return null;
  }
  if (keys.size > 0) return null;
  const { record, key } = createKey('first start', clock.now());
  await keys.put(record);
  return key;
}
