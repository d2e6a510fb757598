import { z } from 'zod';
import { OFFLINE_REASONS } from '#shared/self-monitoring/connectivity.ts';
import { KEY, operation } from '../operation.ts';

const instant = z.iso.datetime().nullable();

export const readConnectivity = operation({
  id: 'readConnectivity',
  method: 'get',
  path: '/app/connectivity',
  formerPath: '/app/sight',
  tag: 'Appliance',
  summary: 'Whether the monitor itself is online',
  access: KEY,
  internal: true,
  status: 200,
  response: z.object({
    state: z.enum(['seeing', 'suspicious', 'asking', 'blind']),
    /** Empty unless offline, which this answer calls `blind`. */
    reasons: z.array(z.enum(OFFLINE_REASONS)),
    /** Since when it is offline. */
    since: instant,
    canaries: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['gateway', 'resolver', 'anchor']),
        /** Null where it never has answered. */
        lastAnswerAt: instant,
      }),
    ),
  }),
  handle: (_input, { connectivity }) => {
    const { state, reasons, since, probes } = connectivity.view();
    const shown = probes.map(({ name, kind, lastAnswerAt }) => ({
      name,
      kind,
      lastAnswerAt: instantOf(lastAnswerAt),
    }));
    return { content: { json: { state, reasons, since: instantOf(since), canaries: shown } } };
  },
});

function instantOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
