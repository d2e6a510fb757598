/** One part of a pattern: a character as it is, or what a wildcard stands for. */
type Part = { char: string } | 'one' | 'segment' | 'any' | 'folders';

/** Which wildcards may stand for a character, and end at it. */
const STAYS: Readonly<Record<'segment' | 'any' | 'folders', (char: string) => boolean>> = {
  segment: (char) => char !== '/',
  any: () => true,
  folders: () => true,
};

/**
 * Whether names match a pattern as shells have them: `*` stands for any text without a `/`, `?` for one such
 * character, `**` for any text, and `**` before a `/` for any folders or none. A pattern without a `/` is one for
 * the last part of the name.
 *
 * @returns a test that takes time in proportion to the lengths of pattern and name, whatever they are
 */
export function namePattern(pattern: string): (name: string) => boolean {
  const parts = partsOf(pattern);
  const isForLastPart = !pattern.includes('/') && !pattern.includes('**');
  return (name) => matches(parts, isForLastPart ? name.slice(name.lastIndexOf('/') + 1) : name);
}

const WILDCARD = /\*\*\/|\*+|./gsu;

function partsOf(pattern: string): Part[] {
  return [...pattern.matchAll(WILDCARD)].map(([text]): Part => {
    if (text === '**/') return 'folders';
    if (text === '?') return 'one';
    if (text.startsWith('*')) return text === '*' ? 'segment' : 'any';
    return { char: text };
  });
}

/** Follows all ways at once: the places in the pattern that the name so far may have led to. */
function matches(parts: readonly Part[], name: string): boolean {
  let places = new Uint8Array(parts.length + 1);
  enter(parts, places, 0);
  for (const char of name) {
    const next = new Uint8Array(parts.length + 1);
    for (const [place, part] of parts.entries()) {
      if (places[place] === 1) step(parts, next, place, part, char);
    }
    places = next;
  }
  return places[parts.length] === 1;
}

function step(
  parts: readonly Part[],
  next: Uint8Array,
  place: number,
  part: Part,
  char: string,
): void {
  if (typeof part === 'object' || part === 'one') {
    if (part === 'one' ? char !== '/' : part.char === char) enter(parts, next, place + 1);
  } else if (STAYS[part](char)) {
    next[place] = 1;
    // Folders end at a slash only; any other wildcard ends wherever it is.
    if (part !== 'folders' || char === '/') enter(parts, next, place + 1);
  }
}

/** A wildcard for any length may stand for nothing, so that what comes after it is reached with it. */
function enter(parts: readonly Part[], places: Uint8Array, place: number): void {
  for (let at = place; places[at] !== 1; at += 1) {
    places[at] = 1;
    const part = parts[at];
    if (part === undefined || typeof part === 'object' || part === 'one') return;
  }
}
