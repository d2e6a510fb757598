import { z } from 'zod';
import { refuseProblems } from '#main/services/service-error.ts';
import type { TestSessionPage } from '#main/store/history/history.ts';
import { flag, instant, limit, several } from '#shared/api/query.ts';
import { rangeProblems } from '#shared/api/time-range.ts';
import { TEST_SESSION_STATUSES } from '#shared/sessions/test-session.ts';
import { testSessionList } from '#shared/sessions/test-session-entry.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { cursorPage, nextId, readCursor } from '../check-results/cursor.ts';

/** Who may have started a test session elsewhere; here it is always the API. */
const PROVIDERS = ['GITHUB', 'VERCEL', 'API', 'TRIGGER', 'PW_REPORTER'] as const;

const query = z.object({
  limit: limit(100, 20),
  nextId,
  from: instant.optional(),
  to: instant.optional(),
  statuses: several(z.enum(TEST_SESSION_STATUSES)).default([...TEST_SESSION_STATUSES]),
  branches: several(z.string().max(2_000))
    .default([])
    .meta({ description: '`branchName` of the metadata; none: any' }),
  textSearch: z
    .string()
    .min(3)
    .max(200)
    .optional()
    .meta({ description: 'Part of the name, in any case' }),
  providers: several(z.enum(PROVIDERS))
    .default([])
    .meta({ description: 'None: any; all test sessions here are of `API`' }),
  users: several(z.string().max(500))
    .default([])
    .meta({ description: 'No test session here has a user: none matches any' }),
  noUsers: flag.default(false),
  errorGroupId: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'There are no error groups here: none matches any' }),
});
type ListQuery = z.output<typeof query>;

/** Contract 1.2 "Test sessions": newest first, by cursor. */
export const listTestSessions = operation({
  id: 'listTestSessions',
  method: 'get',
  path: '/v1/test-sessions',
  tag: 'Test sessions',
  summary: 'List test sessions, by cursor',
  description: 'Newest first. `nextId` leads to the next page; it is null on the last one.',
  access: KEY,
  query,
  status: 200,
  response: testSessionList,
  handle: async ({ query, account }, context) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = query;
    refuseProblems({ source: 'query', problems: rangeProblems({ from, to }) });
    return cursorPage(await page(query, account.id, context));
  },
});

async function page(
  query: ListQuery,
  accountId: string,
  { history }: Context,
): Promise<TestSessionPage> {
  if (!canMatch(query)) return { entries: Buffer.from('[]'), length: 0, nextBefore: null };
  const { limit, from, to, statuses, branches, textSearch, nextId: cursor } = query;
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const filters = {
    // A list that is sent empty filters nothing, as with the others.
    statuses: statuses.length === 0 ? TEST_SESSION_STATUSES : statuses,
    branches,
    textSearch,
  };
  return history.listTestSessions({ accountId, limit, from, to, ...filters, before });
}

/** Whether filters by what no test session has here are left open. */
function canMatch({ providers, users, errorGroupId }: ListQuery): boolean {
  const isProvider = providers.length === 0 || providers.includes('API');
  return isProvider && users.length === 0 && !errorGroupId;
}
