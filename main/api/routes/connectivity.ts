import { connectivityView } from '#shared/self-monitoring/connectivity-view.ts';
import { KEY, operation } from '../operation.ts';

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
  response: connectivityView,
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
