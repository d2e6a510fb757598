import type { Mask, Secrets } from '../masking/mask.ts';
import { isWorthHiding } from '../masking/secret-forms.ts';
import { SECRET_HEADERS } from '../masking/secret-headers.ts';
import type { HttpRun } from './findings.ts';
import type { Prepared } from './prepare.ts';
import { decodeUserInfo, type HttpCheckRequest, type HttpRequest } from './request.ts';
import type { HeaderField } from './request-headers.ts';

/** Variables whose values a script makes secret by their name. */
const SECRET_PREFIX = 'CHECKLY_SECRET_';

type Variables = Readonly<Record<string, string>>;

/**
 * What a result of the run must not show: what its request locks, before and after scripts and
 * templates, the secrets in its reach, and what its scripts made of a secret variable.
 *
 * @param teardownEnvs variables as each teardown script left them
 */
export function secretsOfRun(
  { original, run, setupEnvs }: Pick<Prepared, 'original' | 'run' | 'setupEnvs'>,
  sent: HttpRequest | null,
  teardownEnvs: readonly Variables[] = [],
): Secrets {
  const values = [...secretsOf(original.ask, null), ...secretsOf(run.ask, sent)];
  const made = [...setupEnvs, ...teardownEnvs].flatMap((env) => secretsMade(original, env));
  return {
    values: [...values, ...(original.request.secrets ?? []), ...made],
    parameters: [...shortParameters(original.ask), ...shortParameters(run.ask)],
  };
}

/** Tells header fields that are locked, or whose value holds a secret of the run. */
export function secretFields(
  prepared: Pick<Prepared, 'original' | 'run' | 'setupEnvs'>,
  createMask: (secrets: Secrets) => Mask,
): (field: HeaderField) => boolean {
  const items = [...prepared.original.ask.headers, ...prepared.run.ask.headers];
  const locked = new Set(items.filter((item) => item.locked).map(({ key }) => key.toLowerCase()));
  let mask: Mask | undefined;
  return ([name, value]) => {
    // Most runs never ask.
    mask ??= createMask(secretsOfRun(prepared, null));
    return locked.has(name.toLowerCase()) || mask.text(value) !== value;
  };
}

/** Values of variables that are secret by their name, or were before a script wrote over them. */
function secretsMade({ request: { scope, secrets } }: HttpRun, env: Variables): string[] {
  const hidden = new Set(secrets);
  const isSecret = ([name]: [string, string]) =>
    name.startsWith(SECRET_PREFIX) || hidden.has(scope?.variables[name] ?? '');
  return Object.entries(env)
    .filter(isSecret)
    .map(([, value]) => value);
}

/** The values of a request that must not be kept: what is locked, and what authenticates. */
function secretsOf(check: HttpCheckRequest, sent: HttpRequest | null): string[] {
  const locked = [...check.headers, ...check.queryParameters].filter((item) => item.locked);
  const authenticating = (sent?.headers ?? []).filter(([name]) =>
    SECRET_HEADERS.has(name.toLowerCase()),
  );
  return [
    ...locked.map(({ value }) => value),
    // `Bearer abc` and `abc` alone.
    ...authenticating.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)]),
    check.basicAuth?.password ?? '',
    ...passwordIn(check.url),
  ].filter(isWorthHiding);
}

/** Locked parameters whose values are hidden only behind their names. */
function shortParameters({ queryParameters }: HttpCheckRequest): Secrets['parameters'] & object {
  return queryParameters.filter(
    ({ locked, value }) => locked && value !== '' && !isWorthHiding(value),
  );
}

/** The password that a URL carries, as it is written and as it is meant. */
function passwordIn(url: string): string[] {
  if (!url.includes('@')) return [];
  const password = /^[^/?#]*:\/\/[^/?#]*?:([^/?#]*)@/.exec(url)?.[1] ?? '';
  return [password, decodeUserInfo(password), decodeUserInfo(URL.parse(url)?.password ?? '')];
}
