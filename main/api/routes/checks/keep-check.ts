import { refuseUnknownIds as refuse } from '#main/services/references.ts';
import type { Context } from '../../operation.ts';

export { checkKey } from '#main/services/checks.ts';

/** Ids of other things that a body names: each must exist. */
export function refuseUnknownIds(body: object, { configuration }: Context): void {
  refuse(body, configuration);
}
