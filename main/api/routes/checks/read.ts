import { z } from 'zod';
import { flag } from '#shared/api/query.ts';
import { groupOf, withGroup } from '#shared/groups/merge-group.ts';
import { KEY, type Operation, operation } from '../../operation.ts';
import { findCheck, idParams } from './find-check.ts';
import { anyCheck } from './schemas.ts';
import { READ_VERSIONS } from './versions.ts';
import { viewCheck } from './view-check.ts';

const readQuery = z.object({
  includeDependencies: flag
    .default(false)
    .meta({ description: 'Whether the contents of `dependencies` are shown' }),
  applyGroupSettings: flag.default(false),
});

/** `GET /v1/checks/{id}`, and the same in v2 and v3. */
export const readOperations: readonly Operation[] = READ_VERSIONS.map(({ version, shape }) =>
  operation({
    id: `readCheck${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/checks/{id}`,
    tag: 'Checks',
    summary: `Read a check (${version})`,
    access: KEY,
    params: idParams,
    query: readQuery,
    status: 200,
    response: anyCheck,
    handle: ({ params, query, baseUrl }, context) => {
      const stored = findCheck(params.id, context);
      const group = groupOf(stored, context.configuration.groups);
      const check = query.applyGroupSettings ? withGroup(stored, group) : stored;
      const options = { shape, baseUrl, dependencies: query.includeDependencies };
      return { content: { json: viewCheck(check, options) } };
    },
  }),
);
