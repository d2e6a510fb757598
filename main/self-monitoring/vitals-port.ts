import type { Vitals } from '#shared/self-monitoring/vitals.ts';

/** How the appliance itself does. */
export interface VitalsPort {
  read(): Omit<Vitals, 'version' | 'runtime' | 'platform'>;
}
