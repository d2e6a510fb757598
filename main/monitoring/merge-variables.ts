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

/** Whether results have a value to hide. */
export function holdsSecret(variables: readonly RunVariable[]): boolean {
  return variables.some(isHidden);
}

function secretsOf(variables: readonly RunVariable[]): string[] {
  return [...new Set(variables.filter(isHidden).map(({ value }) => value ?? ''))];
}

function isHidden({ locked, secret, value }: RunVariable): boolean {
  return (locked || secret) && value !== null && value !== '';
}
