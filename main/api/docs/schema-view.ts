import { type JsonSchema, SCHEMA_PATH } from '../openapi/json-schema.ts';
import { html, type Markup, prose } from './html.ts';

/** A table of an object's members; of anything else a line with its type. */
export function schemaView(schema: JsonSchema): Markup {
  const { properties, required = [] } = schema;
  if (properties === undefined) return html`<p class="type">${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(([name, member]) =>
    memberRow(name, member, required.includes(name)),
  );
  return html`<div class="scroll"><table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** One member or parameter: its name, its type and limits, what it means. */
export function memberRow(name: string, schema: JsonSchema, required: boolean): Markup {
  return html`<tr><td><code>${name}</code>${required ? html` <span class="required">required</span>` : null}</td><td class="type">${typeOf(schema)}${limits(schema)}</td><td>${schema.description === undefined ? null : prose(schema.description)}${defaultOf(schema)}${nested(schema)}</td></tr>`;
}

function typeOf(schema: JsonSchema): Markup {
  if (schema.$ref !== undefined) return reference(schema.$ref);
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) return choices(schema.enum);
  if (schema.type === 'array') return html`list of ${typeOf(schema.items ?? {})}`;
  if (schema.format !== undefined) return html`${FORMATS[schema.format] ?? schema.format}`;
  return html`${TYPES[schema.type ?? ''] ?? 'any'}`;
}

const TYPES: Record<string, string> = {
  integer: 'whole number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  object: 'object',
  null: 'null',
};
const FORMATS: Record<string, string> = { uuid: 'UUID', 'date-time': 'date and time', uri: 'URL' };

function reference(ref: string): Markup {
  const name = ref.slice(SCHEMA_PATH.length);
  return html`<a href="#schema-${name}">${name}</a>`;
}

function joined(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => (index === 0 ? part : html` or ${part}`))}`;
}

const SHOWN_CHOICES = 5;

function choices(values: readonly unknown[]): Markup {
  const words = values.map((value) => html`<code>${String(value)}</code> `);
  if (words.length <= SHOWN_CHOICES) return html`${words}`;
  return html`<details class="choices"><summary>one of ${words.length}</summary>${words}</details>`;
}

function limits(schema: JsonSchema): Markup | null {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const words = [
    inner.minimum !== undefined && `≥ ${inner.minimum}`,
    inner.exclusiveMinimum !== undefined && `> ${inner.exclusiveMinimum}`,
    inner.maximum !== undefined && `≤ ${inner.maximum}`,
    inner.minLength !== undefined &&
      inner.minLength > 1 &&
      `at least ${inner.minLength} characters`,
    inner.maxLength !== undefined && `at most ${inner.maxLength} characters`,
    inner.maxItems !== undefined && `at most ${inner.maxItems} items`,
  ].filter((word) => typeof word === 'string');
  return words.length === 0 ? null : html`<span class="limits">${words.join(', ')}</span>`;
}

function defaultOf({ default: value }: JsonSchema): Markup | null {
  return value === undefined
    ? null
    : html` <span class="default">Default <code>${JSON.stringify(value)}</code></span>`;
}

/** The members of an object within, folded away. */
function nested(schema: JsonSchema): Markup | null {
  const inner = [schema, schema.items, ...(schema.anyOf ?? []), ...itemsOf(schema.anyOf ?? [])];
  const object = inner.find((candidate) => candidate?.properties !== undefined);
  if (object === undefined) return null;
  return html`<details class="members"><summary>Members</summary>${schemaView(object)}</details>`;
}

function itemsOf(schemas: readonly JsonSchema[]): JsonSchema[] {
  return schemas.map(({ items }) => items).filter((items) => items !== undefined);
}
