import type { Request } from 'express';
import type { z } from 'zod';
import { refuseProblems } from '#main/services/service-error.ts';
import type { InputSource } from '#shared/api/errors.ts';
import { type Parsed, parseInput } from '#shared/api/problems.ts';
import type { Context, Operation } from '../operation.ts';

export interface ParsedRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The schema that the body was parsed with; undefined where there is none. */
  schema: z.ZodType | undefined;
}

/** Passes every part of a request through its schema; 400 with the problems of all parts. */
export async function parseRequest(
  operation: Operation,
  request: Request,
  context: Context,
): Promise<ParsedRequest> {
  const params = parsePart(operation.params, request.params, 'params');
  const chosen = params.ok ? querySchema(operation, params.value, context) : undefined;
  const query = parsePart(chosen ?? operation.query, readQuery(request.url), 'query');
  const schema = params.ok
    ? await bodySchema(operation, request, params.value, context)
    : undefined;
  const body = parsePart(schema, request.body, 'payload');
  refuseProblems(
    problemsOf(body, 'payload'),
    problemsOf(query, 'query'),
    problemsOf(params, 'params'),
  );
  return { params: partOf(params), query: partOf(query), body: partOf(body), schema };
}

function querySchema({ chooseQuery }: Operation, params: unknown, context: Context) {
  return chooseQuery?.(params as Record<string, string>, context);
}

function bodySchema(
  { body }: Operation,
  request: Request,
  params: unknown,
  context: Context,
): z.ZodType | Promise<z.ZodType> | undefined {
  const known = { body: request.body as unknown, params: params as Record<string, string> };
  return body?.choose?.(known, context) ?? body?.schema;
}

const ROOTS = { payload: 'body', query: 'query', params: 'path', headers: 'headers' } as const;

function parsePart(
  schema: z.ZodType | undefined,
  input: unknown,
  source: InputSource,
): Parsed<unknown> {
  return schema === undefined ? { ok: true, value: {} } : parseInput(schema, input, ROOTS[source]);
}

function problemsOf(parsed: Parsed<unknown>, source: InputSource) {
  return { source, problems: parsed.ok ? [] : parsed.problems };
}

function partOf(parsed: Parsed<unknown>): unknown {
  return parsed.ok ? parsed.value : undefined;
}

const MAX_PARAMETERS = 200;

/**
 * The query of a URL by name; a name that is repeated has an array. `tag[]` and `tag[0]` are `tag`,
 * as clients write arrays. The object has no prototype, so no name of one means anything.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  const query: Record<string, string | string[]> = Object.create(null);
  if (start === -1) return query;
  const pairs = [...new URLSearchParams(url.slice(start + 1))].slice(0, MAX_PARAMETERS);
  for (const [key, value] of pairs) {
    const name = key.replace(/\[\d*\]$/, '');
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}
