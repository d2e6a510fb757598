/** A helper's name with its arguments. */
export interface HelperCall {
  name: string;
  args: readonly string[];
}

const CALL = /^([$\w]{1,50})((?:\s+(?:"[^"]{0,100}"|'[^']{0,100}')){0,3})$/;
const ARGUMENT = /"([^"]*)"|'([^']*)'/g;

/** Reads `name "text" 'text'` as Handlebars would; null for anything else. */
export function parseCall(inside: string): HelperCall | null {
  const match = CALL.exec(inside);
  if (match === null) return null;
  const [, name = '', texts = ''] = match;
  const args = [...texts.matchAll(ARGUMENT)].map(([, double, single]) => double ?? single ?? '');
  return { name, args };
}
