import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '#renderer/api/live.ts';

/** What a run of a check, or a ping of a heartbeat, may change of what its screen shows. */
const OF_RUNS = ['status', 'last-runs', 'failing-since', 'runs', 'alerts', 'events'];

/** Reads anew what live events say has changed, while the screen of the check is open. */
export function useFollowedCheck(checkId: string): void {
  const queries = useQueryClient();
  const invalidate = (queryKey: readonly string[], exact = false) =>
    void queries.invalidateQueries({ queryKey, exact });
  useLive((event) => {
    if (event.kind === 'run' && event.id === checkId) {
      for (const part of OF_RUNS) invalidate(['check', checkId, part]);
    }
    if (event.kind === 'check' && event.check.id === checkId) invalidate(['check', checkId], true);
    if (event.kind === 'check-gone' && event.id === checkId) invalidate(['check', checkId], true);
  });
}
