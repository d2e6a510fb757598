import type { z } from 'zod';
import { ERROR_PHRASES, type ErrorStatus } from '#shared/api/errors.ts';
import { ACCOUNT_HEADERS } from '../http/identify.ts';
import { type BodySchema, type Operation, TAGS } from '../operation.ts';
import { componentSchemas } from './components.ts';
import { type JsonSchema, namedSchemas, parameterSchemas, SCHEMA_PATH } from './json-schema.ts';

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object };
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  /** Empty for an operation without a key. */
  security: Record<string, string[]>[];
  parameters: ParameterObject[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema }>;

const INTRODUCTION =
  'Every request is JSON over HTTP. Send the key as `Authorization: Bearer <key>`. Members that the API does not know are dropped and named in the header `x-ignored-fields`; bodies that start runs refuse them. Errors are `{ statusCode, error, message }`; a 400 names every bad member at once.';

/** The OpenAPI 3.1 document of the public operations, made from their schemas. */
export function openapiOf(operations: readonly Operation[], version: string): OpenApiDocument {
  const open = operations.filter(({ internal }) => !internal);
  const refer = collectSchemas(open);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of open) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = describe(operation, refer.schemaOf);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Watchpost API', version, description: INTRODUCTION },
    servers: [{ url: '/' }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      schemas: refer.components,
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** Converts all schemas at once, so that they can refer to each other. */
function collectSchemas(operations: readonly Operation[]) {
  const named = componentSchemas();
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  const inline = operations
    .flatMap(({ body, response }) => [body?.schema, response])
    .filter((schema): schema is z.ZodType => schema != null && !names.has(schema));
  const inlineNames = new Map(
    [...new Set(inline)].map((schema, index) => [schema, `inline${index}`]),
  );
  const all = Object.fromEntries([...inlineNames].map(([schema, name]) => [name, schema]));
  const made = namedSchemas({ ...named, ...all });
  const components = Object.fromEntries(Object.keys(named).map((name) => [name, made[name] ?? {}]));
  const schemaOf = (schema: z.ZodType): JsonSchema => {
    const name = names.get(schema);
    if (name !== undefined) return { $ref: SCHEMA_PATH + name };
    return made[inlineNames.get(schema) ?? ''] ?? {};
  };
  return { components, schemaOf };
}

type SchemaOf = (schema: z.ZodType) => JsonSchema;

function describe(operation: Operation, schemaOf: SchemaOf): OperationObject {
  const { id, tag, summary, description, deprecated, access, body, upload } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    security: access.kind === 'open' ? [] : [{ key: [] }],
    parameters: parametersOf(operation),
    ...(body && { requestBody: bodyOf(body, schemaOf) }),
    ...(upload && { requestBody: UPLOADED }),
    responses: responsesOf(operation, schemaOf),
  };
}

const UPLOADED: OperationObject['requestBody'] = {
  required: true,
  content: { 'application/octet-stream': { schema: {} } },
};

function bodyOf({ schema, isForm }: BodySchema, schemaOf: SchemaOf) {
  const required = !schema.safeParse(undefined).success;
  if (!isForm) return { required, content: json(schemaOf(schema)) };
  return {
    required,
    content: { 'application/x-www-form-urlencoded': { schema: schemaOf(schema) } },
  };
}

function json(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}

function parametersOf({ params, query, access }: Operation): ParameterObject[] {
  const header: ParameterObject = {
    name: ACCOUNT_HEADERS[0],
    in: 'header',
    required: false,
    description: 'Id of the account; there is one, so it may be left out.',
    schema: { type: 'string', format: 'uuid' },
  };
  return [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...(access.kind === 'open' ? [] : [header]),
  ];
}

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined): ParameterObject[] {
  if (schema === undefined) return [];
  return Object.entries(parameterSchemas(schema)).map(([name, { description, ...member }]) => ({
    name,
    in: place,
    required: place === 'path',
    ...(description !== undefined && { description }),
    schema: member,
  }));
}

function responsesOf(operation: Operation, schemaOf: SchemaOf): OperationObject['responses'] {
  const { status, response, mediaType = 'application/json' } = operation;
  const success = {
    description: SUCCESS_WORDS[status],
    ...(response && { content: { [mediaType]: { schema: schemaOf(response) } } }),
  };
  const failures = failuresOf(operation).map((failure) => [
    String(failure),
    { description: ERROR_PHRASES[failure], content: json({ $ref: `${SCHEMA_PATH}Error` }) },
  ]);
  return { [status]: success, ...Object.fromEntries(failures) };
}

const SUCCESS_WORDS = {
  200: 'Success',
  201: 'Created',
  204: 'Done',
  302: 'Found',
  303: 'See other',
} as const;

function failuresOf(operation: Operation): ErrorStatus[] {
  const { access, params, query, failures = [] } = operation;
  const body = operation.body || operation.upload;
  return [
    ...((params || query || body ? [400] : []) as ErrorStatus[]),
    ...((access.kind === 'open' ? [] : [401, 403]) as ErrorStatus[]),
    ...((params ? [404] : []) as ErrorStatus[]),
    ...failures.toSorted((one, other) => one - other),
    ...((body ? [413, 415] : []) as ErrorStatus[]),
    429,
  ];
}
