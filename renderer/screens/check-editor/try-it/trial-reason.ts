import { assertionsOf } from '#shared/results/details.ts';
import { reasonOf } from '#shared/results/reason.ts';
import type { TrialResult } from './use-trial.ts';

/** Why a run of an unsaved check is bad, in a few words; undefined of a good one. */
export function reasonOfTrial(result: TrialResult): string | undefined {
  if (!result.hasFailures && !result.hasErrors) return undefined;
  const { apiCheckResult, tcpCheckResult, dnsCheckResult, icmpCheckResult } = result;
  const detail = apiCheckResult ?? tcpCheckResult ?? dnsCheckResult ?? icmpCheckResult;
  const broken = assertionsOf(result).find(({ error }) => error !== null);
  const failure = { cause: 'ASSERTION', message: broken?.error ?? detail?.requestError ?? '' };
  const [scriptError] = apiCheckResult?.scriptErrors ?? [];
  return reasonOf({ ...result, failure }) || scriptError?.message;
}
