import type { Account } from '#main/store/configuration/configuration.ts';
import { DEFAULT_RUNTIME_ID } from '#shared/checks/enums.ts';
import type { VariableSources } from './run-variables.ts';
import type { RunnerParts } from './runner-parts.ts';

type KnownAccount = Pick<Account, 'id' | 'runtimeId' | 'retryStrategy'>;

/** What the account has for the runs of its checks. */
export function variableSources({ configuration, publicIps }: RunnerParts) {
  const { account, variables, snippets } = configuration;
  // The start makes the account first; actors that are tested alone have none.
  const [known = { id: '', runtimeId: DEFAULT_RUNTIME_ID }]: readonly KnownAccount[] =
    account.all();
  return {
    account: known,
    variables: variables.all(),
    snippets,
    publicIps,
  } satisfies VariableSources;
}
