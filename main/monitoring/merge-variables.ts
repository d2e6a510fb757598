import type { RunVariable } from '#shared/variables/variable.ts';

export interface MergedVariables {
  variables: Record<string, string>;
  /** Values of locked and secret variables, also of those that an inner one covers. */
  secrets: string[];
}

/**
 * Variables as a run sees them: of several with one key the one of the innermost layer (contract
 * 7.1), and within a layer the last.
 * @param layers from the outermost to the innermost: account, group, check
 */
export function mergeVariables(layers: readonly (readonly RunVariable[])[]): MergedVariables {
  const given = layers.flat().filter(({ value }) => value !== null);
  return {
    variables: Object.fromEntries(given.map(({ key, value }) => [key, value ?? ''])),
    secrets: secretsOf(given),
  };
}

function secretsOf(variables: readonly RunVariable[]): string[] {
  const hidden = variables.filter(({ locked, secret }) => locked || secret);
  return [...new Set(hidden.map(({ value }) => value ?? ''))].filter((value) => value !== '');
}
