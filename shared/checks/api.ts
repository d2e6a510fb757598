import { z } from 'zod';
import {
  assertions,
  basicAuth,
  COMPARISONS,
  environmentVariables,
  httpUrl,
  ipFamily,
  keyValue,
  list,
  responseTimeLimit,
} from './blocks.ts';
import { networkDefaults, networkFields } from './common.ts';
import { defineKind } from './kind.ts';
import { orNull, orUnset } from './unset.ts';

/** What an API check sends and what it expects of the answer. */
export const apiRequest = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH']),
  url: httpUrl,
  followRedirects: orUnset(z.boolean().default(true)),
  skipSSL: orUnset(z.boolean().default(false)),
  ipFamily,
  bodyType: orUnset(z.enum(['JSON', 'FORM', 'RAW', 'GRAPHQL', 'NONE']).default('NONE'), ''),
  body: orUnset(z.string().max(1_000_000).default('')),
  headers: list(keyValue).default([]),
  queryParameters: list(keyValue).default([]),
  basicAuth: basicAuth.nullable().optional(),
  assertions: assertions(
    ['STATUS_CODE', 'JSON_BODY', 'HEADERS', 'TEXT_BODY', 'RESPONSE_TIME'],
    COMPARISONS,
  ),
});

const script = z
  .string()
  .max(256 * 1024)
  .nullable();
const snippetId = orNull(z.int().positive(), 0);

export const apiCheck = defineKind({
  checkType: 'API',
  segment: 'api',
  schemaName: 'ApiCheck',
  noun: 'API check',
  required: ['name', 'request'],
  fields: {
    ...networkFields,
    request: apiRequest,
    degradedResponseTime: responseTimeLimit(45_000),
    maxResponseTime: responseTimeLimit(45_000),
    environmentVariables,
    sslCheckDomain: z.string().max(2_048).nullable(),
    setupSnippetId: snippetId,
    tearDownSnippetId: snippetId,
    localSetupScript: script,
    localTearDownScript: script,
  },
  defaults: {
    ...networkDefaults,
    degradedResponseTime: 5_000,
    maxResponseTime: 20_000,
    setupSnippetId: null,
    tearDownSnippetId: null,
    localSetupScript: null,
    localTearDownScript: null,
  },
});
