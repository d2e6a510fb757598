import { cut } from '#shared/assertions/text.ts';
import { type Message, messageOf } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { addressProblems } from './address-problems.ts';
import { deliveryOf } from './delivery.ts';
import { postJson } from './json-post.ts';
import { TONE_COLOURS } from './message-text.ts';
import type { ChannelSender } from './sender.ts';

/** What a section of Slack's blocks holds. */
const MAX_SECTION = 2_900;

/** Slack's incoming webhooks, which Mattermost and Rocket.Chat take as well. */
export const slack: ChannelSender<'SLACK'> = {
  problems: ({ config }, ports) => addressProblems('config.url', config.url, ports),
  async send({ config }, notice, ports) {
    const room = config.channel ? { channel: config.channel } : {};
    const outcome = await postJson(ports, config.url, { ...room, ...slackMessage(notice) });
    return deliveryOf(outcome);
  },
};

/** The message in Slack's blocks; `text` is what notifications show. */
export function slackMessage(notice: NotificationContent): { text: string; attachments: object[] } {
  const message = messageOf(notice);
  const sections = [headline(message), factLines(message)].filter((text) => text !== '');
  const blocks = sections.map((text) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: cut(text, MAX_SECTION) },
  }));
  const attachment = { color: TONE_COLOURS[message.tone], fallback: message.title, blocks };
  return { text: escapeSlack(message.title), attachments: [attachment] };
}

function headline({ title, link }: Message): string {
  const words = escapeSlack(title);
  return link === null ? `*${words}*` : `*<${escapeSlack(link)}|${words}>*`;
}

function factLines({ facts }: Message): string {
  return facts.map(({ label, value }) => `*${label}:* ${escapeSlack(value)}`).join('\n');
}

/** Mattermost and Rocket.Chat call everybody by these words alone; a sign of no width ends them. */
const CALLS_TO_ALL = /@(?=(?:all|channel|everyone|here)\b)/gi;

/** Slack's three signs: with them nobody is mentioned, and no link is made, by a check's name. */
function escapeSlack(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(CALLS_TO_ALL, '@\u200b');
}
