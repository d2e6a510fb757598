import type { HttpRun } from './findings.ts';
import type { Prepared } from './prepare.ts';
import { type Secrets, secretsOf } from './redact.ts';
import type { HttpRequest } from './request.ts';
import { isWorthHiding } from './secret-forms.ts';

/** Variables whose values a script makes secret by their name (contract 7.4). */
const SECRET_PREFIX = 'CHECKLY_SECRET_';

/** A single character says nothing, and would be found in every second address. */
const MIN_WORD_CHARS = 2;

/**
 * What a result of the run must not show: what its request locks, before and after scripts and
 * templates, the secrets of its scope, and what its setup made of a secret variable.
 */
export function secretsOfRun(
  original: HttpRun,
  { run, env }: Pick<Prepared, 'run' | 'env'>,
  sent: HttpRequest | null,
): Secrets {
  const after = secretsOf(run.ask, sent);
  const { scope } = original.request;
  if (!scope) return { ...after, words: [] };
  const before = secretsOf(original.ask, null);
  const hidden = new Set(scope.secrets);
  const isSecret = ([name]: [string, string]) =>
    name.startsWith(SECRET_PREFIX) || hidden.has(scope.variables[name] ?? '');
  const made = Object.entries(env)
    .filter(isSecret)
    .map(([, value]) => value);
  const values = [...new Set([...hidden, ...made])];
  const texts = [...before.texts, ...after.texts, ...values.filter(isWorthHiding)];
  return {
    texts: [...new Set(texts)],
    words: values.filter((value) => value.length >= MIN_WORD_CHARS && !isWorthHiding(value)),
    parameters: [...before.parameters, ...after.parameters],
  };
}
