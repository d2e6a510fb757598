import { z } from 'zod';
import { BOARD_SECONDS } from '#main/services/boards.ts';
import { integer } from '#shared/api/query.ts';
import { pageReply, publicReply } from '../http/public-reply.ts';
import { openTo, operation } from '../operation.ts';

const tag = 'Dashboards';
/** The name of an asset holds its hash, so it never changes. */
const FOR_EVER_SECONDS = 31_536_000;

const readBoard = operation({
  id: 'readBoard',
  method: 'get',
  path: '/dashboards/{customUrl}',
  tag,
  summary: 'The public page of a dashboard',
  description: `An HTML page, at most ${BOARD_SECONDS} seconds old. 404 for a private one, as for one that is not there.`,
  access: openTo(
    'the page of a dashboard, which is for people without a key; not of a private one',
  ),
  internal: true,
  params: z.object({ customUrl: z.string().max(253) }),
  query: z.object({ page: integer(1, 1_000_000).default(1) }),
  status: 200,
  response: null,
  handle: async ({ params: { customUrl }, query: { page } }, { boards }) => {
    const { dashboard, markup } = await boards.read(customUrl, page);
    const { refreshRate, logo, favicon } = dashboard;
    const refresh = String(Math.max(refreshRate, BOARD_SECONDS));
    return pageReply(
      {
        text: markup,
        maxAgeSeconds: BOARD_SECONDS,
        ...(refreshRate > 0 && { headers: { refresh } }),
      },
      [logo, favicon],
    );
  },
});

/** Below `/dashboards/` for all boards, and below each for those with a domain of their own. */
const ASSET_PATHS = {
  readBoardAsset: '/dashboards/assets/{name}',
  readOwnBoardAsset: '/dashboards/{customUrl}/assets/{name}',
};

const readAssets = Object.entries(ASSET_PATHS).map(([id, path]) =>
  operation({
    id,
    method: 'get',
    path,
    tag,
    summary: 'A stylesheet or script of these pages',
    access: openTo('a file of our own, the same for everyone and without any data'),
    internal: true,
    params: z.object({ name: z.string().max(100), customUrl: z.string().max(253).optional() }),
    status: 200,
    response: null,
    handle: ({ params: { name } }, { boards }) => {
      const { type, bytes } = boards.asset(name);
      return publicReply({ text: bytes.toString('utf8'), type, maxAgeSeconds: FOR_EVER_SECONDS });
    },
  }),
);

export const boardOperations = [readBoard, ...readAssets];
