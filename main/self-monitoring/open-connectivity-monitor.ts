import type { Settings } from '#main/platform/settings/table.ts';
import { ConnectivityMonitor, type ConnectivityMonitorParts } from './connectivity-monitor.ts';
import { findProbes } from './find-probes.ts';
import { processHealth } from './host-health.ts';
import { Probes } from './probes.ts';

export interface OpenConnectivityMonitor {
  connectivityMonitor: ConnectivityMonitor;
  close(): void;
}

type Needs = Pick<
  ConnectivityMonitorParts,
  'clock' | 'log' | 'channels' | 'tell' | 'onlineAgain'
> & {
  isStoreFailing(): boolean;
};
type Choice = Pick<
  Settings,
  'probeGateway' | 'probeResolvers' | 'probeAnchors' | 'offlineAlertAfterSeconds'
>;

/** The connectivity monitor with the probes that the operator wants. */
export function openConnectivityMonitor(settings: Choice, needs: Needs): OpenConnectivityMonitor {
  const { probeGateway: gateway, probeResolvers: resolvers, probeAnchors: anchors } = settings;
  const probes = new Probes(() => findProbes({ gateway, resolvers, anchors }), needs.clock);
  const health = processHealth(() => needs.isStoreFailing());
  const toldAfterMs = settings.offlineAlertAfterSeconds * 1_000;
  const connectivityMonitor = new ConnectivityMonitor({
    ...needs,
    ...health,
    probes,
    toldAfterMs,
  });
  return {
    connectivityMonitor,
    close() {
      connectivityMonitor.stop();
      health[Symbol.dispose]();
    },
  };
}
