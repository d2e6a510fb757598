import type { NotificationContent } from '#shared/notifications/notice.ts';
import { deliveryOf, failed, succeeded } from './delivery.ts';
import { postJson } from './json-post.ts';
import type { ChannelSender, Delivery, SendPorts } from './sender.ts';
import { slackMessage } from './slack.ts';

/** A Slack app of the operator's own, which writes to channels by name or id. */
export const slackApp: ChannelSender<'SLACK_APP'> = {
  async problems(_channel, { slackToken }) {
    if (slackToken !== null) return [];
    const message = 'needs the token of a Slack app: set WATCHPOST_SLACK_TOKEN';
    return [{ path: 'type', message: `SLACK_APP ${message}` }];
  },
  async send({ config }, notice, ports) {
    const { slackToken } = ports;
    if (slackToken === null) return failed('WATCHPOST_SLACK_TOKEN is not set', { permanent: true });
    const rooms = config.slackChannels.map((room) => post(room, { notice, slackToken, ports }));
    const deliveries = await Promise.all(rooms);
    const missed = deliveries.filter(({ outcome }) => outcome !== 'SUCCESS');
    // Each room gets the message at least once: where one may still be reached, all are tried again.
    const [worst = deliveries[0] ?? succeeded('No channels')] = missed.toSorted(
      (one, other) => Number(one.permanent) - Number(other.permanent),
    );
    return worst;
  },
};

/** What Slack says of trouble of its own, with status 200 as well (docs.slack.dev, chat.postMessage). */
const PASSING_REFUSALS: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'rate_limited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

interface Post {
  notice: NotificationContent;
  slackToken: string;
  ports: SendPorts;
}

async function post(room: string, { notice, slackToken, ports }: Post): Promise<Delivery> {
  const url = `${ports.endpoints.slack}/api/chat.postMessage`;
  const headers = { authorization: `Bearer ${slackToken}` };
  const outcome = await postJson(ports, url, { channel: room, ...slackMessage(notice) }, headers);
  const refusal = outcome.failure === undefined ? refusalIn(outcome.body) : null;
  const delivery = deliveryOf(outcome);
  if (delivery.outcome !== 'SUCCESS' || refusal === null) return delivery;
  const permanent = !PASSING_REFUSALS.has(refusal);
  return { ...failed(`${delivery.detail}: Slack refused`, { permanent }), answer: refusal };
}

/** Slack's API refuses with status 200. */
function refusalIn(body: string): string | null {
  try {
    const answer = JSON.parse(body) as { ok?: unknown; error?: unknown } | null;
    return answer?.ok === true ? null : String(answer?.error ?? 'no reason given').slice(0, 200);
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON';
    throw error;
  }
}
