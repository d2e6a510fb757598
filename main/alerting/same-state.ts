import { isDeepStrictEqual } from 'node:util';
import type { KeptAlertState } from '#shared/alerting/kept-alert-state.ts';

/** Whether two states say the same. */
export function isSameState(one: KeptAlertState, other: KeptAlertState): boolean {
  return isDeepStrictEqual(one, other);
}
