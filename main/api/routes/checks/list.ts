import { z } from 'zod';
import { flag, limit, page, several } from '#shared/api/query.ts';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupOf, tagsOf, withGroup } from '#shared/groups/merge-group.ts';
import { statusWord } from '#shared/results/check-status.ts';
import { type Context, KEY, type Operation, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';
import { anyCheck } from './schemas.ts';
import { READ_VERSIONS } from './versions.ts';
import { viewCheck } from './view-check.ts';

/** Filters of the lists of checks (contract 1.1). */
export const listQuery = z.object({
  limit: limit(100, 10),
  page,
  checkType: z.enum(CHECK_TYPES).optional(),
  tag: several(z.string()).default([]).meta({ description: 'Checks that have one of these tags' }),
  search: z.string().max(500).optional().meta({ description: 'Part of the name, in any case' }),
  status: z.enum(['passing', 'failing', 'degraded']).optional(),
  apiCheckUrlFilterPattern: z
    .string()
    .min(1)
    .max(2_048)
    .optional()
    .meta({ description: 'API checks whose URL has this part' }),
  applyGroupSettings: flag.default(false),
});
type ListQuery = z.output<typeof listQuery>;

/** `GET /v1/checks`, and the same in v2 and v3. */
export const listOperations: readonly Operation[] = READ_VERSIONS.map(({ version, shape }) =>
  operation({
    id: `listChecks${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/checks`,
    tag: 'Checks',
    summary: `List checks (${version})`,
    description:
      'In the order of creation, page by page. The header `Content-Range` has the total: `0-24/57`.',
    access: KEY,
    query: listQuery,
    status: 200,
    response: z.array(anyCheck),
    handle: ({ query, baseUrl }, context) => {
      const { checks } = context.configuration;
      const groupFor = shownGroup(query, context);
      const found = checks.all().filter(filterOf(query, context));
      return pageOf(found, query, (check) =>
        viewCheck(withGroup(check, groupFor(check)), { shape, baseUrl, dependencies: false }),
      );
    },
  }),
);

type GroupFor = (check: Check) => Group | undefined;

/** The group whose settings a check is shown with. */
function shownGroup({ applyGroupSettings }: ListQuery, { configuration }: Context): GroupFor {
  return applyGroupSettings ? (check) => groupOf(check, configuration.groups) : () => undefined;
}

/** Looks at checks as the list shows them. Of what filters look at, groups change the tags alone. */
function filterOf(query: ListQuery, context: Context): (check: Check) => boolean {
  const { checkType, tag, search, status, apiCheckUrlFilterPattern: urlPart } = query;
  const words = search?.toLowerCase();
  const groupFor = shownGroup(query, context);
  const hasTag = (wanted: readonly string[], check: Check) => {
    const tags = tagsOf(check, groupFor(check));
    return wanted.some((one) => tags.includes(one));
  };
  return (check) =>
    (checkType === undefined || check.checkType === checkType) &&
    (tag.length === 0 || hasTag(tag, check)) &&
    (words === undefined || check.name.toLowerCase().includes(words)) &&
    (urlPart === undefined || (check.checkType === 'API' && check.request.url.includes(urlPart))) &&
    (status === undefined || currentStatus(check, context.monitor) === status);
}

function currentStatus(check: Check, monitor: Context['monitor']): string | undefined {
  const status = monitor.statusOf(check.id);
  return status && statusWord(status);
}
