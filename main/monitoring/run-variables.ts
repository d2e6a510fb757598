import type { Account, Configuration } from '#main/store/configuration/configuration.ts';
import type { CheckOf, RunnableCheck } from '#shared/checks/check.ts';
import { DEFAULT_RUNTIME_ID } from '#shared/checks/enums.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupBaseUrl } from '#shared/groups/merge-group.ts';
import type { RunVariables, ScriptSource } from '#shared/sandbox/script.ts';
import type { RunVariable } from '#shared/variables/variable.ts';
import {
  ownScriptsOf,
  type SnippetShelf,
  setupOf,
  snippetsFor,
  teardownOf,
} from './run-scripts.ts';

type KnownAccount = Pick<Account, 'id' | 'runtimeId' | 'retryStrategy'>;

/** What the account of a check has for its runs. */
export interface VariableSources {
  account: Pick<KnownAccount, 'id' | 'runtimeId'>;
  variables: readonly RunVariable[];
  snippets: SnippetShelf;
  publicIps: PublicIps;
}

/** The public addresses of this machine, as far as the operator set them. */
export interface PublicIps {
  v4: string | null;
  v6: string | null;
}

/** What is known of a run before it begins. */
export interface RunIdentity {
  /** Data-center code or slug of a private location. */
  location: string;
  /** Shared by all locations of a parallel run. */
  checkRunId: number;
  /** UUID that the result of this attempt will have. */
  resultId: string;
  /** Variables that a trigger or a session adds. */
  overrides?: VariableOverrides | undefined;
}

export interface VariableOverrides {
  /** They win over those of the check. */
  variables?: readonly RunVariable[] | undefined;
  builtIns?: Readonly<Record<string, string>> | undefined;
  /** What asked for the run; left out: the schedule. */
  runSource?: string | undefined;
}

type ApiCheck = CheckOf<'API'>;

interface SourceParts {
  configuration: Pick<Configuration, 'account' | 'snippets' | 'variables'>;
  publicIps: PublicIps;
}

/** What the account has for the runs of its checks. */
export function variableSources({ configuration, publicIps }: SourceParts) {
  const { account, variables, snippets } = configuration;
  // The start creates the account before the actors; an actor in a test may have none.
  const [known = { id: '', runtimeId: DEFAULT_RUNTIME_ID }]: readonly KnownAccount[] =
    account.all();
  return {
    account: known,
    variables: variables.all(),
    snippets,
    publicIps,
  } satisfies VariableSources;
}

/**
 * What the scripts and templates of a run may read; undefined for types that have neither, and for an
 * API check without them, so that such a run carries nothing.
 *
 * @param check with the settings of its group in it, see `withGroup`
 * @param group whose scripts run around those of the check
 */
export function runVariablesOf(
  check: RunnableCheck,
  group: Group | undefined,
  sources: VariableSources,
  facts: RunIdentity,
): RunVariables | undefined {
  const scripts = scriptsOf(check, group, sources.snippets);
  if (scripts === undefined) return undefined;
  const { setup, teardown, others } = scripts;
  const runtimeId = ('runtimeId' in check && check.runtimeId) || sources.account.runtimeId;
  return {
    variables: mergeVariables(layersOf(check, group, sources, facts.overrides)),
    builtIns: {
      ...runBuiltIns(check, facts),
      ...accountBuiltIns(sources, runtimeId),
      ...groupBuiltIns(group),
      ...facts.overrides?.builtIns,
    },
    setup,
    teardown,
    snippets: snippetsFor([...setup, ...teardown, ...others], sources.snippets),
    runtimeId,
  };
}

interface RunScripts extends Pick<RunVariables, 'setup' | 'teardown'> {
  /** Those that are not around a request but are the run themselves. */
  others: readonly ScriptSource[];
}

/** The scripts of a run; undefined where it has none and fills in no template either. */
function scriptsOf(
  check: RunnableCheck,
  group: Group | undefined,
  snippets: SnippetShelf,
): RunScripts | undefined {
  const none = { setup: [], teardown: [] };
  switch (check.checkType) {
    case 'API': {
      const setup = setupOf(check, group, snippets);
      const teardown = teardownOf(check, group, snippets);
      if (setup.length + teardown.length === 0 && !hasTemplates(check)) return undefined;
      return { setup, teardown, others: [] };
    }
    case 'BROWSER':
    case 'MULTI_STEP':
      return { ...none, others: ownScriptsOf(check) };
    case 'PLAYWRIGHT':
      return { ...none, others: [] };
    default:
      return undefined;
  }
}

/**
 * Values of the locked and secret variables in whose reach a check is, whatever its type, also of
 * those that an inner variable covers: its target may say them. Undefined where there are none.
 */
export function runSecretsOf(
  check: RunnableCheck,
  group: Group | undefined,
  sources: Pick<VariableSources, 'variables'>,
  overrides?: VariableOverrides,
): readonly string[] | undefined {
  const layers = layersOf(check, group, sources, overrides);
  // Filtered first, as this is done for every run and an account may have a thousand variables.
  const hidden = layers.flatMap((layer) => layer.filter(isHidden));
  if (hidden.length === 0) return undefined;
  return [...new Set(hidden.map(({ value }) => value ?? ''))];
}

type Layers = readonly (readonly RunVariable[])[];

/** The variables from the outermost to the innermost. */
function layersOf(
  check: RunnableCheck,
  group: Group | undefined,
  { variables }: Pick<VariableSources, 'variables'>,
  overrides: VariableOverrides | undefined,
): Layers {
  return [
    variables,
    group?.environmentVariables ?? [],
    ('environmentVariables' in check ? check.environmentVariables : null) ?? [],
    overrides?.variables ?? [],
  ];
}

/** The built-in variables but for `REQUEST_URL`, which the runner adds: redirects change it. */
function runBuiltIns({ id, name, checkType }: RunnableCheck, run: RunIdentity) {
  const { checkRunId, location, resultId } = run;
  return {
    ...(checkType === 'PLAYWRIGHT' && suiteBuiltIns(id, run)),
    CHECK_ID: id,
    CHECK_NAME: name,
    CHECK_TYPE: checkType,
    CHECK_RESULT_ID: resultId,
    CHECK_RUN_ID: String(checkRunId),
    REGION: location,
  };
}

/** What a suite can tell by that a monitor runs it, under the names that suites look for. */
function suiteBuiltIns(checkId: string, { location, overrides }: RunIdentity) {
  return {
    CHECKLY: '1',
    CI: '1',
    CHECKLY_RUN_SOURCE: overrides?.runSource ?? 'SCHEDULER',
    CHECKLY_CHECK_ID: checkId,
    CHECKLY_REGION: location,
  };
}

function accountBuiltIns(
  { account, publicIps: { v4, v6 } }: VariableSources,
  runtimeId: string,
): Record<string, string> {
  return {
    ACCOUNT_ID: account.id,
    RUNTIME_VERSION: runtimeId,
    // An address that the operator did not set is no variable: a template that names it stays as written.
    ...(v4 !== null && { PUBLIC_IP_V4: v4 }),
    ...(v6 !== null && { PUBLIC_IP_V6: v6 }),
  };
}

/** The URL as it is written: templates in the values of variables are not filled in. */
function groupBuiltIns(group: Group | undefined): Record<string, string> {
  const baseUrl = groupBaseUrl(group);
  return baseUrl === undefined ? {} : { GROUP_BASE_URL: baseUrl };
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

/**
 * Variables as a run sees them: of several with one key the one of the innermost layer,
 * and within a layer the last.
 * @param layers from the outermost to the innermost: account, group, check
 */
function mergeVariables(layers: Layers): Record<string, string> {
  const given = layers.flat().filter(({ value }) => value !== null);
  return Object.fromEntries(given.map(({ key, value }) => [key, value ?? '']));
}

function isHidden({ locked, secret, value }: RunVariable): boolean {
  return (locked || secret) && value !== null && value !== '';
}
