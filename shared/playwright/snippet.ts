/** Lines shown before the marked one, and after it. */
const BEFORE = 2;
const AFTER = 3;
/** Characters of a line: of a minified file one line may be all. */
const MAX_LINE_CHARS = 300;

/**
 * The lines around a place of a text, numbered, with a mark under its column: what an error shows of the
 * script.
 *
 * @param line from 1
 * @param column from 1
 * @returns undefined where the text has no such line
 */
export function snippet(text: string, line: number, column: number): string | undefined {
  const lines = text.split(/\r?\n/);
  if (line < 1 || line > lines.length) return undefined;
  const from = Math.max(1, line - BEFORE);
  const to = Math.min(lines.length, line + AFTER);
  const width = String(to).length;
  const shown = lines.slice(from - 1, to).flatMap((code, index) => {
    const number = from + index;
    const mark = number === line ? '>' : ' ';
    const row = `${mark} ${String(number).padStart(width)} | ${code.slice(0, MAX_LINE_CHARS)}`;
    return number === line && column <= MAX_LINE_CHARS
      ? [row, `  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1))}^`]
      : [row];
  });
  return shown.join('\n');
}
