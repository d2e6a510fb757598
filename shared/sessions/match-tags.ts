/**
 * Which checks a list of tags means: one of the outer lists must
 * match, each with all of its tags. A tag with a leading `!` must be absent.
 */
export type MatchTags = readonly (readonly string[])[];

/** Whether a check with the tags given, those of its group among them, matches. */
export function matchesTags(tags: Iterable<string>, wanted: MatchTags): boolean {
  const present = new Set(tags);
  return wanted.some((all) => all.every((tag) => isMet(tag, present)));
}

function isMet(tag: string, present: ReadonlySet<string>): boolean {
  return tag.startsWith('!') ? !present.has(tag.slice(1)) : present.has(tag);
}
