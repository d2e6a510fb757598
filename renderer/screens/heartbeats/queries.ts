import { queryOptions } from '@tanstack/react-query';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { api } from '#renderer/api/client.ts';

export type ShownHeartbeat = Extract<ShownCheck, { checkType: 'HEARTBEAT' }>;

const PER_PAGE = 100;
/** Of more nobody sees to each from here. */
const MAX_PAGES = 20;

/** Every heartbeat with its period and the address of its pings. */
export const heartbeatsQuery = queryOptions({
  queryKey: ['heartbeats'],
  queryFn: async ({ signal }): Promise<ShownHeartbeat[]> => {
    const found: ShownHeartbeat[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = { checkType: 'HEARTBEAT' as const, limit: PER_PAGE, page };
      const checks = await api('GET /v1/checks', { query, signal });
      found.push(...checks.filter((check) => check.checkType === 'HEARTBEAT'));
      if (checks.length < PER_PAGE) break;
    }
    return found;
  },
});
