import { z } from 'zod';
import { flag } from '#shared/api/query.ts';
import {
  BADGE_STYLES,
  BADGE_THEMES,
  type Badge,
  type BadgeKind,
  badgeSettings,
} from '#shared/badges/badge.ts';
import { type BadgeLook, badgeSvg } from '../badge-svg.ts';
import { publicReply } from '../http/public-reply.ts';
import { KEY, type Operation, openTo, operation, type Reply } from '../operation.ts';
import { checkIdParams, idParams, numberParam } from '../params.ts';

const tag = 'Badges';
const OPEN = openTo('an image of a check or a group that somebody made public, for other pages');
const SVG = 'image/svg+xml';
/** How long a page may show an old badge. */
const MAX_AGE_SECONDS = 60;

const query = z.object({
  style: z.enum(BADGE_STYLES).default('flat'),
  theme: z
    .enum(BADGE_THEMES)
    .default('default')
    .meta({ description: 'What the name stands on: light, dark, or grey.' }),
  responseTime: flag.default(false).meta({ description: 'Whether the last response time shows.' }),
});

const open = {
  method: 'get',
  tag,
  access: OPEN,
  query,
  status: 200,
  response: z.string(),
  mediaType: SVG,
  failures: [404],
} as const;

const description =
  'An SVG image: passing, degraded, failing, paused or unknown. 404 for whatever is not public, be it there or not. May be cached for a minute.';

const checkBadge = operation({
  ...open,
  id: 'readCheckBadge',
  path: '/v1/badges/checks/{checkId}',
  summary: 'The badge of a check that is public',
  description,
  params: checkIdParams,
  handle: ({ params: { checkId }, query: look }, { badges }) =>
    imageOf(badges.ofCheck(checkId), look),
});

const groupBadge = operation({
  ...open,
  id: 'readGroupBadge',
  path: '/v1/badges/groups/{groupId}',
  summary: 'The badge of a check group that is public',
  description: `The worst state of its activated checks, and the longest of their last response times. ${description}`,
  params: z.object({ groupId: numberParam }),
  handle: ({ params: { groupId }, query: look }, { badges }) =>
    imageOf(badges.ofGroup(groupId), look),
});

/** Other sites may embed it. */
function imageOf(badge: Badge, look: BadgeLook): Reply {
  return publicReply({
    text: badgeSvg(badge, look),
    type: SVG,
    maxAgeSeconds: MAX_AGE_SECONDS,
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
  });
}

/** Reading and changing whether a badge is public. */
function settingsOf<P extends z.ZodObject>(kind: BadgeKind, noun: string, params: P): Operation[] {
  const idOf = (input: unknown) => String((input as { id: string | number }).id);
  const route = {
    path: `/app/badges/${kind}/{id}`,
    tag,
    access: KEY,
    internal: true,
    params,
    status: 200,
    response: badgeSettings,
  } as const;
  const name = kind === 'checks' ? 'Check' : 'Group';
  return [
    operation({
      ...route,
      id: `read${name}BadgeSettings`,
      method: 'get',
      summary: `Whether the badge of a ${noun} is public`,
      handle: (input, { badges }) => ({
        content: { json: { isPublic: badges.isPublic(kind, idOf(input.params)) } },
      }),
    }),
    operation({
      ...route,
      id: `update${name}BadgeSettings`,
      method: 'put',
      summary: `Make the badge of a ${noun} public, or no longer`,
      body: { schema: badgeSettings },
      handle: async (input, { badges }) => {
        await badges.setPublic(kind, idOf(input.params), input.body.isPublic);
        return { content: { json: input.body } };
      },
    }),
  ];
}

export const badgeOperations: readonly Operation[] = [
  checkBadge,
  groupBadge,
  ...settingsOf('checks', 'check', idParams),
  ...settingsOf('groups', 'check group', z.object({ id: numberParam })),
];
