import type { CallOptions, Driver } from './driver.ts';

/** The parts of the served OpenAPI document that the recording needs. */
export interface ServedDocument {
  paths: Record<string, Record<string, ServedOperation>>;
}

interface ServedOperation {
  security: unknown[];
  parameters: {
    name: string;
    in: 'path' | 'query' | 'header';
    schema: { type?: string; format?: string; pattern?: string };
  }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

export const NOBODY = '00000000-0000-4000-8000-000000000000';
/** More values than a body may have: refused as one that is too long, and sent sooner. */
const TOO_MANY_VALUES = '['.repeat(30_000);

/** Operations of a document by the names that the session calls them by. */
export function operationsOf({ paths }: ServedDocument): Map<string, ServedOperation> {
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  return new Map(entries);
}

/** Sends to every operation each of the wrong requests that its description allows for. */
export async function driveRefusals(driver: Driver, document: ServedDocument): Promise<void> {
  for (const [name, operation] of operationsOf(document)) {
    for (const options of wrongRequests(operation)) await driver.call(name, options);
  }
  for (const path of Object.keys(document.paths)) {
    const at = [...path.matchAll(/\{/g)].map(() => 'x');
    await driver.call(`OPTIONS ${path}`, { at });
  }
}

function wrongRequests({ security, parameters, requestBody }: ServedOperation): CallOptions[] {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const at = inPath.map(unknownValue);
  const body = requestBody === undefined ? {} : { body: {} };
  const malformed = inPath.map(() => '%');
  return [
    ...(security.length > 0
      ? [
          { at, as: 'nobody' as const },
          { at, headers: { authorization: 'Bearer wrong' } },
          { at, ...body, headers: { 'x-service-account': NOBODY } },
        ]
      : []),
    ...(inPath.length > 0
      ? [
          { at, ...body },
          { at: malformed, ...body },
        ]
      : []),
    ...(queries.length > 0
      ? [{ at, query: wrongQuery(queries.map(({ name }) => name)), ...body }]
      : []),
    ...(requestBody === undefined
      ? []
      : [
          { at, body: ['no object'] },
          { at, raw: '{"no":json}' },
          { at, raw: 'a=1', headers: { 'content-type': 'text/plain' } },
          { at, raw: TOO_MANY_VALUES },
        ]),
  ];
}

/** A value that is well formed and names nothing. */
function unknownValue({
  schema: { type, format, pattern },
}: ServedOperation['parameters'][number]) {
  if (type === 'integer' || type === 'number') return 999_999;
  return format !== undefined || pattern !== undefined ? NOBODY : 'unknown';
}

function wrongQuery(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '-1']));
}
