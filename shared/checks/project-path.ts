/** The path of a file of a project, or what is wrong with it. */
export type ProjectPath = { path: string; problem?: never } | { path?: never; problem: string };

const MAX_CHARS = 1_000;
const MAX_SEGMENT_BYTES = 255;
const MAX_DEPTH = 32;

/**
 * The path of a file inside a project, with plain slashes and without `.` in it. Refused is what would
 * lie outside the project on any system, and what some system cannot write.
 */
export function projectPath(text: string): ProjectPath {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  const problem = problemOf(text, segments);
  return problem === null ? { path: segments.join('/') } : { problem };
}

function problemOf(text: string, segments: readonly string[]): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\0-\x1f\x7f]/.test(text)) return 'expected a path without control characters';
  if (text.length > MAX_CHARS) return `expected a path of at most ${MAX_CHARS} characters`;
  if (text.includes('\\')) return 'expected a path with slashes, not backslashes';
  if (text.startsWith('/') || /^[a-z]:/i.test(text)) return 'expected a relative path';
  if (segments.includes('..')) return 'expected a path inside the project, without ".."';
  if (segments.length === 0) return 'expected the path of a file';
  if (segments.length > MAX_DEPTH) return `expected at most ${MAX_DEPTH} folders in one another`;
  const isLong = segments.some((one) => new TextEncoder().encode(one).length > MAX_SEGMENT_BYTES);
  return isLong ? `expected names of at most ${MAX_SEGMENT_BYTES} bytes` : null;
}
