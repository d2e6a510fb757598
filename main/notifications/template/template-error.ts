/** What keeps a template from being used, with its place where it has one. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  /** `offset`: of the source; null where no place is to blame. */
  constructor(what: string, source = '', offset: number | null = null) {
    super(offset === null ? what : `${what} (${placeOf(source, offset)})`);
  }
}

/** Both count from 1. */
function placeOf(source: string, offset: number): string {
  const lines = source.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
