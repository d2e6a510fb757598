/** Who may see the value of a variable: everybody, nobody in results, nobody at all. */
export type VariableKind = 'plain' | 'locked' | 'secret';

export function kindOf({ locked, secret }: { locked?: unknown; secret?: unknown }): VariableKind {
  if (secret === true) return 'secret';
  return locked === true ? 'locked' : 'plain';
}
