import type { CheckOf, RunnableCheck } from '#shared/check/check.ts';
import type { RunScope } from '#shared/run/script.ts';
import type { Account } from '../store/configuration.ts';
import { type SnippetShelf, setupOf, snippetsFor, teardownOf } from './scripts.ts';
import { mergeVariables, type ScopeVariable } from './variables.ts';

/** What the account of a check has for its runs. */
export interface ScopeSources {
  account: Pick<Account, 'id' | 'runtimeId'>;
  variables: readonly ScopeVariable[];
  snippets: SnippetShelf;
}

/** What is known of a run before it begins. */
export interface RunFacts {
  /** Data-center code or slug of a private location. */
  location: string;
  /** Shared by all locations of a parallel run. */
  checkRunId: number;
}

type ApiCheck = CheckOf<'API'>;

/**
 * What the scripts and templates of a run may read (contract 7.4, 8); undefined where the check has
 * neither, so that such a run carries nothing.
 */
export function scopeOf(
  check: RunnableCheck,
  sources: ScopeSources,
  facts: RunFacts,
): RunScope | undefined {
  if (check.checkType !== 'API') return undefined;
  const { account, snippets } = sources;
  // A group's setup goes before the check's, its teardown after, its variables between the layers.
  const setup = setupOf(check, snippets);
  const teardown = teardownOf(check, snippets);
  const scripts = [...setup, ...teardown];
  if (scripts.length === 0 && !hasTemplates(check)) return undefined;
  const runtimeId = check.runtimeId ?? account.runtimeId;
  return {
    ...mergeVariables([sources.variables, check.environmentVariables ?? []]),
    builtIns: builtInsOf(check, { accountId: account.id, runtimeId, ...facts }),
    setup,
    teardown,
    snippets: snippetsFor(scripts, snippets),
    runtimeId,
  };
}

/**
 * The built-in variables (contract 7.4). `CHECK_RESULT_ID` is not among them: a result has its id
 * once the run is over; nor are the public addresses, which nobody here knows. `REQUEST_URL` is the
 * runner's to tell, as it changes on the way.
 */
function builtInsOf(
  { id, name, checkType }: ApiCheck,
  run: RunFacts & { accountId: string; runtimeId: string },
): Record<string, string> {
  return {
    ACCOUNT_ID: run.accountId,
    CHECK_ID: id,
    CHECK_NAME: name,
    CHECK_TYPE: checkType,
    CHECK_RUN_ID: String(run.checkRunId),
    REGION: run.location,
    RUNTIME_VERSION: run.runtimeId,
  };
}

/** Whether a part of the request that templates work in, or an assertion's target, holds one. */
function hasTemplates({ request }: ApiCheck): boolean {
  const { url, body, basicAuth, headers, queryParameters, assertions } = request;
  return (
    isTemplate(url) ||
    isTemplate(body) ||
    isTemplate(basicAuth?.username) ||
    isTemplate(basicAuth?.password) ||
    headers.some(({ value }) => isTemplate(value)) ||
    queryParameters.some(({ value }) => isTemplate(value)) ||
    assertions.some(({ target }) => isTemplate(target))
  );
}

function isTemplate(text: string | null | undefined): boolean {
  return text?.includes('{{') ?? false;
}
