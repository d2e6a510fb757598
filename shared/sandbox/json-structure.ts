/**
 * Whether a JSON text has at most so many characters outside of its texts: braces, commas and
 * numbers. Parsing a long text within is fast, parsing many small members is not, so this is asked
 * before anything is parsed that somebody hostile may have written.
 */
export function isStructureBounded(json: string, maxChars: number): boolean {
  if (json.length <= maxChars) return true;
  let chars = 0;
  for (let from = 0; chars <= maxChars; ) {
    const opens = json.indexOf('"', from);
    if (opens === -1) return chars + json.length - from <= maxChars;
    chars += opens - from;
    const closes = endOfText(json, opens);
    if (closes === -1) break;
    from = closes + 1;
  }
  return chars <= maxChars;
}

/** Where the text ends that begins at a quotation mark; -1 where it never does. */
function endOfText(json: string, opens: number): number {
  for (let at = opens; ; ) {
    at = json.indexOf('"', at + 1);
    if (at === -1 || !isEscaped(json, at)) return at;
  }
}

/** Each run of backslashes is looked at once, by the mark after it. */
function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

const BACKSLASH = 0x5c;
