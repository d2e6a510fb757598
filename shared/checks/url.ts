import { z } from 'zod';
import { assertions, httpUrl, ipFamily, responseTimeLimit } from './blocks.ts';
import { networkDefaults, networkFields } from './common.ts';
import { defineKind } from './kind.ts';
import { orUnset } from './unset.ts';

/** A URL monitor asks with GET and judges the status only. */
export const urlRequest = z.object({
  method: orUnset(z.literal('GET').default('GET'), ''),
  url: httpUrl,
  followRedirects: orUnset(z.boolean().default(true)),
  skipSSL: orUnset(z.boolean().default(false)),
  ipFamily,
  assertions: assertions(['STATUS_CODE'], ['EQUALS', 'NOT_EQUALS', 'LESS_THAN', 'GREATER_THAN']),
});

export const urlCheck = defineKind({
  checkType: 'URL',
  segment: 'url',
  schemaName: 'UrlMonitor',
  noun: 'URL monitor',
  required: ['name', 'request'],
  fields: {
    ...networkFields,
    request: urlRequest,
    degradedResponseTime: responseTimeLimit(45_000),
    maxResponseTime: responseTimeLimit(45_000),
  },
  defaults: {
    ...networkDefaults,
    degradedResponseTime: 3_000,
    maxResponseTime: 5_000,
  },
});
