/** A project that cannot be run, with the reason in a sentence: its own fault, and no error of ours. */
export class ProjectProblem extends Error {
  override readonly name = 'ProjectProblem';
}

/** Names in a sentence: an archive may hold any text. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}
