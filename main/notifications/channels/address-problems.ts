import type { Problem } from '#shared/api/problems.ts';
import type { EgressCause } from '../egress/failure.ts';
import { readTarget } from '../egress/vet.ts';
import type { SendPorts } from './sender.ts';

/** A name that does not resolve while a channel is saved may do so when it is sent to. */
const LASTING: ReadonlySet<EgressCause> = new Set(['INVALID_URL', 'DENIED_ADDRESS']);
const RESOLVE_MS = 5_000;

/** Whether a URL leads where nothing may be sent to; one whose host is a template is seen later. */
export async function addressProblems(
  path: string,
  url: string,
  { egress }: Pick<SendPorts, 'egress'>,
): Promise<Problem[]> {
  if (/^https?:\/\/[^/?#]*\{\{/i.test(url)) return [];
  // Templates after the host do not matter here.
  const target = readTarget(url.replace(/\{\{.*$/s, ''));
  const found =
    target instanceof URL
      ? await egress.vet(target.hostname, AbortSignal.timeout(RESOLVE_MS))
      : target;
  if (found.failure === undefined || !LASTING.has(found.failure)) return [];
  return [{ path, message: `expected a public address: ${found.message}` }];
}
