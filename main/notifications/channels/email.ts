import type { Problem } from '#shared/api/problems.ts';
import { type Message, messageOf } from '#shared/notifications/message.ts';
import { sendMail, verifyMailServer } from '../smtp.ts';
import { escapeHtml } from '../template/escape.ts';
import { bodyText, TONE_COLOURS } from './message-text.ts';
import type { ChannelSender } from './sender.ts';

/** E-mail by the operator's server. */
export const email: ChannelSender<'EMAIL'> = {
  async problems(_channel, ports): Promise<Problem[]> {
    // Without a server the channel can be saved, as clients do first; each send then tells.
    if (ports.smtp === null) return [];
    const { outcome, detail } = await verifyMailServer(ports);
    return outcome === 'SUCCESS' ? [] : [{ path: 'type', message: detail }];
  },
  warnings: ({ smtp }) =>
    smtp === null ? ['No mail server is set, so every send fails: set WATCHPOST_SMTP_HOST'] : [],
  send({ config }, notice, ports) {
    const message = messageOf(notice);
    const mail = {
      to: config.address,
      subject: message.title,
      text: `${message.title}\n\n${bodyText(message)}\n`,
      html: emailHtml(message),
      headers: { 'auto-submitted': 'auto-generated' },
    };
    return sendMail(mail, ports);
  },
};

/** A message as the HTML of a mail: a title, a table and a link, with nothing loaded from anywhere. */
function emailHtml({ title, tone, facts, link }: Message): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" style="padding:2px 16px 2px 0;color:#666">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const result = link === null ? '' : `<p><a href="${escapeHtml(link)}">See the result</a></p>`;
  return [
    '<!doctype html><html><body style="font:15px/1.5 sans-serif">',
    `<h1 style="font-size:20px;color:${TONE_COLOURS[tone]}">${escapeHtml(title)}</h1>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    `${result}</body></html>`,
  ].join('\n');
}
