import { stripVTControlCharacters } from 'node:util';

/** Lines of Playwright's error that say why a browser did not start, the most telling first. */
const REASONS = [
  /error while loading shared libraries: .*/,
  /(?<=\[err\] ).*(?:ERROR|FATAL).*/,
  /(?<=\[err\] ).+/,
];
const MAX_CHARS = 300;

/** One line of a long error. */
export function reasonOf(message: string): string {
  const text = stripVTControlCharacters(message);
  const found = REASONS.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  const [reason = text.split('\n')[0] ?? ''] = found;
  return reason.slice(0, MAX_CHARS);
}
