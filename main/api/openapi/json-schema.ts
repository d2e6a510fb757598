import { z } from 'zod';
import { MEMBER_NOTES } from './member-notes.ts';

/** The part of JSON Schema (2020-12) that Zod makes and the documentation shows. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  deprecated?: boolean;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  not?: JsonSchema;
}

export const SCHEMA_PATH = '#/components/schemas/';

/** Zod schemas as JSON Schema, each by its name; a use of one within another is a reference. */
export function namedSchemas(schemas: Record<string, z.ZodType>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => SCHEMA_PATH + id,
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
  });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $schema, $id, ...schema }]) => [
      name,
      schema as JsonSchema,
    ]),
  );
}

/** The members of a query or path, as parsed: their defaults show. */
export function parameterSchemas(schema: z.ZodObject): Record<string, JsonSchema> {
  const { properties = {} } = z.toJSONSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
  }) as JsonSchema;
  return properties;
}

/** Removes keywords that only validators need, and adds the notes of members for readers. */
function tidy(schema: JsonSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    // A member that is always refused is not documented.
    if (member.not !== undefined) delete schema.properties?.[name];
    const note = MEMBER_NOTES[name];
    // Beside a reference only a description of its own may stand, which 3.1 allows.
    if (note !== undefined) member.description ??= note;
    if (note?.startsWith('Deprecated')) member.deprecated = true;
  }
}
