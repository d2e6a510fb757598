import type { z } from 'zod';

/** How many names are told. */
const MAX_NAMES = 50;

/**
 * Dotted paths of the members of a body that its schema does not name, and that are therefore
 * dropped. At most 50.
 */
export function ignoredFields(schema: z.ZodType, body: unknown): string[] {
  const found: string[] = [];
  collect(schema, body, '', found);
  return found;
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
}

function collect(schema: z.ZodType, value: unknown, path: string, found: string[]): void {
  const { shape, element, options, innerType, in: entry, out } = schema._zod.def as unknown as Def;
  // What is changed before it is parsed has its members in the schema that parses it.
  const inside = innerType ?? (entry?.type === 'transform' ? out : entry);
  if (inside !== undefined) collect(inside, value, path, found);
  else if (shape !== undefined) collectMembers(shape, value, path, found);
  // Of the branches of a union in a body, one at most is an object.
  else if (options !== undefined) for (const option of options) collect(option, value, path, found);
  else if (element !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (found.length >= MAX_NAMES) return;
      collect(element, item, `${path}${index}.`, found);
    }
  }
}

function collectMembers(
  shape: Record<string, z.ZodType>,
  value: unknown,
  path: string,
  found: string[],
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  // Names alone: a body may have thousands of members, of which few are looked at.
  for (const name of Object.keys(value)) {
    if (found.length >= MAX_NAMES) return;
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) found.push(`${path}${name}`);
    else collect(schema, (value as Record<string, unknown>)[name], `${path}${name}.`, found);
  }
}

const MAX_NAME_LENGTH = 100;
/** Clients refuse an answer whose headers together are longer than 8 or 16 KB. */
const MAX_HEADER_LENGTH = 4_000;

/**
 * The value of the response header `x-ignored-fields`: names joined by commas, in plain ASCII; of at
 * most 4,000 characters, the names that do not fit left out.
 */
export function ignoredFieldsHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const word = encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
    const longer = header === '' ? word : `${header}, ${word}`;
    if (longer.length > MAX_HEADER_LENGTH) break;
    header = longer;
  }
  return header;
}
