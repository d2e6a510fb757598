import { z } from 'zod';
import { assertions, hostname, IP_FAMILIES, responseTimeLimit } from './blocks.ts';
import { networkDefaults, networkFields } from './common.ts';
import { defineKind } from './kind.ts';
import { orNull } from './unset.ts';

/** Echo requests to one host, one every 500 ms. `null` means the default. */
export const icmpRequest = z.object({
  hostname,
  ipFamily: orNull(z.enum(IP_FAMILIES), '').default('IPv4'),
  pingCount: orNull(z.int().min(1).max(50), 0).default(10),
  assertions: assertions(
    ['LATENCY', 'JSON_RESPONSE'],
    [
      'EQUALS',
      'NOT_EQUALS',
      'IS_EMPTY',
      'NOT_EMPTY',
      'GREATER_THAN',
      'LESS_THAN',
      'CONTAINS',
      'NOT_CONTAINS',
      'IS_NULL',
      'NOT_NULL',
    ],
  ),
});

/** Percent of echoes lost. */
const packetLossThreshold = z.number().gt(0).max(100).nullable();

export const icmpCheck = defineKind({
  checkType: 'ICMP',
  segment: 'icmp',
  schemaName: 'IcmpMonitor',
  noun: 'ICMP monitor',
  required: ['name', 'request'],
  fields: {
    ...networkFields,
    request: icmpRequest,
    degradedResponseTime: responseTimeLimit(300_000),
    maxResponseTime: responseTimeLimit(300_000),
    degradedPacketLossThreshold: packetLossThreshold,
    maxPacketLossThreshold: packetLossThreshold,
  },
  defaults: {
    ...networkDefaults,
    degradedResponseTime: 10_000,
    maxResponseTime: 20_000,
    degradedPacketLossThreshold: 10,
    maxPacketLossThreshold: 20,
  },
});
