import { z } from 'zod';
import { assertions, COMPARISONS, port, responseTimeLimit } from './blocks.ts';
import { networkDefaults, networkFields } from './common.ts';
import { defineKind } from './kind.ts';
import { orNull, orUnset } from './unset.ts';

export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SOA', 'NS', 'HTTPS'] as const;

const NAME = /^(?:[\p{L}\p{M}\p{N}_.*:%-]|\{\{[^{}]*\}\})*$/u;

/** One question to one name server. `port` matters only beside `nameServer`. */
export const dnsRequest = z.object({
  query: z.string().min(1).max(100).regex(NAME, { error: 'expected a domain name' }),
  recordType: z.enum(DNS_RECORD_TYPES),
  nameServer: z
    .string()
    .max(100)
    .regex(NAME, { error: 'expected a host name or an IP address' })
    .nullable()
    .optional(),
  port: orNull(port, 0).optional(),
  protocol: orUnset(z.enum(['UDP', 'TCP']).default('UDP'), ''),
  assertions: assertions(
    ['RESPONSE_TIME', 'RESPONSE_CODE', 'TEXT_ANSWER', 'JSON_ANSWER'],
    COMPARISONS,
  ),
});

export const dnsCheck = defineKind({
  checkType: 'DNS',
  segment: 'dns',
  schemaName: 'DnsMonitor',
  noun: 'DNS monitor',
  required: ['name', 'request'],
  fields: {
    ...networkFields,
    request: dnsRequest,
    degradedResponseTime: responseTimeLimit(5_000),
    maxResponseTime: responseTimeLimit(5_000),
  },
  defaults: {
    ...networkDefaults,
    degradedResponseTime: 500,
    maxResponseTime: 1_000,
  },
});
