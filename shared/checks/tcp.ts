import { z } from 'zod';
import { assertions, hostname, ipFamily, port, responseTimeLimit } from './blocks.ts';
import { networkDefaults, networkFields } from './common.ts';
import { defineKind } from './kind.ts';
import { isBody } from './rules.ts';
import { orNull, orUnset } from './unset.ts';

const data = orNull(z.string().max(64_000), '').optional();
const address = orUnset(hostname.optional(), '');

/**
 * A TCP connection and, where `data` is given, one exchange on it. `url` and `body`
 * are the older names of `hostname` and `data`: taken on the way in, answered as the newer ones.
 */
export const tcpRequest = z
  .object({
    hostname: address,
    url: address,
    port,
    data,
    body: data,
    ipFamily,
    assertions: assertions(
      ['RESPONSE_DATA', 'RESPONSE_TIME'],
      [
        'EQUALS',
        'NOT_EQUALS',
        'IS_EMPTY',
        'NOT_EMPTY',
        'LESS_THAN',
        'GREATER_THAN',
        'CONTAINS',
        'NOT_CONTAINS',
      ],
    ),
  })
  .refine((request) => request.hostname ?? request.url, {
    path: ['hostname'],
    error: 'expected a host name or an IP address',
    // Beside other members that failed too, so that all problems are reported at once.
    when: ({ value }) => isBody(value) && [value.hostname, value.url].every(isLeftOut),
  })
  .transform(({ url, body, ...request }) => ({
    ...request,
    hostname: request.hostname ?? url ?? '',
    data: request.data ?? body ?? null,
  }));

function isLeftOut(member: unknown): boolean {
  return member === undefined;
}

export const tcpCheck = defineKind({
  checkType: 'TCP',
  segment: 'tcp',
  schemaName: 'TcpCheck',
  noun: 'TCP check',
  required: ['name', 'request'],
  fields: {
    ...networkFields,
    request: tcpRequest,
    degradedResponseTime: responseTimeLimit(45_000),
    maxResponseTime: responseTimeLimit(45_000),
  },
  defaults: {
    ...networkDefaults,
    degradedResponseTime: 3_000,
    maxResponseTime: 5_000,
  },
});
