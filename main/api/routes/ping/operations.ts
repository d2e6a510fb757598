import { z } from 'zod';
import type { Ping } from '#main/monitoring/monitor-port.ts';
import { notFound, tooMany } from '#main/services/service-error.ts';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import { ApiError } from '../../api-error.ts';
import {
  type Context,
  type Input,
  type Operation,
  openTo,
  operation,
  type Reply,
} from '../../operation.ts';

/** Programs that open links in messages to show a preview: no job of anyone's (contract 10). */
const PREVIEW_BOTS = [
  'twitterbot',
  'slackbot',
  'googlebot',
  'discordbot',
  'facebot',
  'telegrambot',
  'whatsapp',
  'linkedinbot',
];

const MAX_LENGTH = 500;

/** Pings of one check a minute: each is kept, so who has its token could fill the disk. */
export const MAX_PINGS = 300;

const params = z.object({ token: z.string() });
type PingInput = Input<z.output<typeof params>, unknown, unknown>;

/** Contract 10: GET and POST count as a ping, any other verb is an error and counts nothing. */
export const pingOperations: readonly Operation[] = (['get', 'post'] as const).map((method) =>
  operation({
    id: `ping${method === 'get' ? 'Get' : 'Post'}`,
    method,
    path: '/ping/{token}',
    tag: 'Heartbeats',
    summary: `Send a ping (${method.toUpperCase()})`,
    description: `Answers once the ping is kept, with the state that it was given. A body is ignored. \`Origin\`, else \`Referer\`, is kept as the source. At most ${MAX_PINGS} pings of one check a minute: one that is refused counts nothing, and the ones before it were enough.`,
    access: openTo('the token in the path is the secret; jobs send pings with plain curl'),
    refusesHead: method === 'get',
    params,
    status: 200,
    response: z.object({ state: z.enum(HEARTBEAT_STATES) }),
    handle: ping,
  }),
);

async function ping(input: PingInput, context: Context): Promise<Reply> {
  const userAgent = input.header('user-agent');
  if (isPreviewBot(userAgent)) throw new ApiError(403, 'Link previews do not count as pings');
  const source = input.header('origin') ?? input.header('referer');
  const state = await take(
    input.params.token,
    { source: cut(source), userAgent: cut(userAgent) },
    context,
  );
  if (state === undefined) throw notFound('No heartbeat check has this ping URL');
  return { content: { json: { state } } };
}

async function take(token: string, sent: Ping, context: Context) {
  const { checks, monitor, history, pingCalls, clock } = context;
  const checkId = checks.pingTokens.checkOf(token);
  const waitMs = checkId === undefined ? 0 : pingCalls.take(checkId, clock.now());
  if (waitMs > 0)
    throw tooMany(`More than ${MAX_PINGS} pings of this check within a minute`, waitMs);
  const state = checkId === undefined ? undefined : await monitor.ping(checkId, sent);
  // A token nobody has takes as long as one that is known: it waits for the store as well.
  if (state === undefined) await history.write({});
  return state;
}

function isPreviewBot(userAgent = ''): boolean {
  const name = userAgent.toLowerCase();
  return PREVIEW_BOTS.some((bot) => name.includes(bot));
}

function cut(header: string | undefined): string | null {
  return header === undefined ? null : header.slice(0, MAX_LENGTH);
}
