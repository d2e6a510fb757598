import type { Problem } from '#shared/api/problems.ts';
import { cut } from '#shared/assertions/text.ts';
import { messageOf } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { escapeHtml } from '../template/escape.ts';
import { addressProblems } from './address-problems.ts';
import { deliveryOf, failed } from './delivery.ts';
import { USER_AGENT } from './json-post.ts';
import { type ChannelSender, type Delivery, SEND_TIMEOUT_MS, type SendPorts } from './sender.ts';

/** Two parts of a text message: each further part would cost more. */
const MAX_TEXT = 300;

/** Text messages by Twilio's API. */
export const sms: ChannelSender<'SMS'> = {
  problems: (_channel, ports) => gatewayProblems('SMS', ports),
  send: ({ config }, notice, ports) =>
    callGateway('Messages', { To: config.number, Body: messageText(notice) }, ports),
};

/** Calls by Twilio's API: the message is read out, twice. */
export const call: ChannelSender<'CALL'> = {
  problems: (_channel, ports) => gatewayProblems('CALL', ports),
  send: ({ config }, notice, ports) =>
    callGateway('Calls', { To: config.number, Twiml: spokenMessage(notice) }, ports),
};

async function gatewayProblems(type: string, ports: SendPorts): Promise<Problem[]> {
  if (ports.phone !== null) return addressProblems('type', ports.phone.url, ports);
  const settings = 'WATCHPOST_TWILIO_ACCOUNT_SID, WATCHPOST_TWILIO_TOKEN and WATCHPOST_TWILIO_FROM';
  return [{ path: 'type', message: `${type} needs a gateway: set ${settings}` }];
}

async function callGateway(
  resource: 'Messages' | 'Calls',
  fields: Record<string, string>,
  { egress, phone }: SendPorts,
): Promise<Delivery> {
  if (phone === null) return failed('No gateway for SMS and calls is set', { permanent: true });
  const credentials = Buffer.from(`${phone.accountSid}:${phone.token}`).toString('base64');
  const outcome = await egress.send({
    method: 'POST',
    url: `${phone.url}/2010-04-01/Accounts/${phone.accountSid}/${resource}.json`,
    headers: {
      'user-agent': USER_AGENT,
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...fields, From: phone.from }).toString(),
    timeoutMs: SEND_TIMEOUT_MS,
  });
  return deliveryOf(outcome);
}

/** The link stays whole; what is said before it is cut. */
function messageText(notice: NotificationContent): string {
  const { link } = messageOf(notice);
  const ending = link === null || link.length > MAX_TEXT / 2 ? '' : ` ${link}`;
  return cut(sentences(notice), MAX_TEXT - ending.length) + ending;
}

function spokenMessage(notice: NotificationContent): string {
  const words = escapeHtml(cut(sentences(notice), MAX_TEXT));
  return `<Response><Say loop="2">Watchpost. ${words}</Say></Response>`;
}

/** The title and what matters most. */
function sentences(notice: NotificationContent): string {
  const { title, facts } = messageOf(notice);
  const first = facts.slice(0, 2).map(({ label, value }) => `${label}: ${value}.`);
  return [`${title}.`, ...first].join(' ');
}
