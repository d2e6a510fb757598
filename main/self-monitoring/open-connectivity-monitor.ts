import type { Settings } from '#main/platform/settings/table.ts';
import { Lookout, type LookoutParts } from './connectivity-monitor.ts';
import { findCanaries } from './find-probes.ts';
import { Canaries } from './probes.ts';
import { processHealth } from './process-health.ts';

export interface OpenLookout {
  lookout: Lookout;
  close(): void;
}

type Needs = Pick<LookoutParts, 'clock' | 'log' | 'channels' | 'tell' | 'onlineAgain'> & {
  isStoreFailing(): boolean;
};
type Choice = Pick<
  Settings,
  'canaryGateway' | 'canaryResolvers' | 'canaryAnchors' | 'blindAlertAfterSeconds'
>;

/** The watch over the appliance's own sight, with the canaries that the operator wants asked. */
export function openLookout(settings: Choice, needs: Needs): OpenLookout {
  const { canaryGateway: gateway, canaryResolvers: resolvers, canaryAnchors: anchors } = settings;
  const canaries = new Canaries(() => findCanaries({ gateway, resolvers, anchors }), needs.clock);
  const health = processHealth(() => needs.isStoreFailing());
  const toldAfterMs = settings.blindAlertAfterSeconds * 1_000;
  const lookout = new Lookout({ ...needs, ...health, canaries, toldAfterMs });
  return {
    lookout,
    close() {
      lookout.stop();
      health[Symbol.dispose]();
    },
  };
}
