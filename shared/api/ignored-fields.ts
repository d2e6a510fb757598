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
  innerType?: z.ZodType;
  in?: z.ZodType;
}

function collect(schema: z.ZodType, value: unknown, path: string, found: string[]): void {
  const { shape, element, innerType, in: entry } = schema._zod.def as unknown as Def;
  const inside = innerType ?? entry;
  if (inside !== undefined) collect(inside, value, path, found);
  else if (shape !== undefined) collectMembers(shape, value, path, found);
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
  for (const [name, member] of Object.entries(value)) {
    if (found.length >= MAX_NAMES) return;
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) found.push(`${path}${name}`);
    else collect(schema, member, `${path}${name}.`, found);
  }
}

const MAX_NAME_LENGTH = 100;

/** The value of the response header `x-ignored-fields`: names joined by commas, in plain ASCII. */
export function ignoredFieldsHeader(names: readonly string[]): string {
  return names
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
    .join(', ');
}
