/** A project that cannot be run, with the reason in a sentence. */
export class ProjectProblem extends Error {
  override readonly name = 'ProjectProblem';
  /** Whether it is no fault of the project's own. */
  readonly isOurs: boolean;

  constructor(
    message: string,
    { isOurs = false, cause }: { isOurs?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isOurs = isOurs;
  }
}

/** Names in a sentence: an archive may hold any text. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}
