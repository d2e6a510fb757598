import { randomUUID } from 'node:crypto';
import type { OutboxLimits } from '#main/notifications/delivery-port.ts';
import type { Account, Configuration } from '#main/store/configuration/configuration.ts';
import { DEFAULT_RUNTIME_ID } from '#shared/checks/enums.ts';
import type { Clock } from '#shared/clock.ts';
import type { StormSettings } from '#shared/notifications/storm-settings.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

export type { Account };

/** What may be changed of an account. */
export type AccountChanges = Partial<
  Pick<Account, 'name' | 'runtimeId' | 'retryStrategy' | 'alertSettings' | 'flapping' | 'storms'>
>;

interface AccountParts extends ServiceParts {
  /** What the appliance was started with. */
  outboxLimits: OutboxLimits;
}

/** The account, of which there is one. */
export class Accounts {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  own(): Account {
    const [only] = this.#parts.configuration.account.all();
    if (only === undefined) throw new Error('There is no account: the start makes one first');
    return only;
  }

  /** When alerts are a storm, by the account or else by what the appliance was started with. */
  storms(): StormSettings {
    const { stormAlerts: alerts, messagesPerMinute } = this.#parts.outboxLimits;
    return this.own().storms ?? { alerts, messagesPerMinute };
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): Account {
    const account = this.own();
    if (account.id !== id) throw notFound(`No account has the id ${id}`);
    return account;
  }

  /** Members left out stay as they were; one that is sent replaces the old one whole. */
  change(changes: AccountChanges): Promise<Account> {
    return this.#parts.mutex('account', async () => {
      const changed = { ...this.own(), ...changes };
      await this.#parts.configuration.account.put(changed);
      return changed;
    });
  }
}

/** The one account; made at the first start, renamed where the operator sets another id. */
export async function ensureAccount(
  { account: accounts }: Pick<Configuration, 'account'>,
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
