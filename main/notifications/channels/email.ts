import { isIP, Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Problem } from '#shared/api/problems.ts';
import { type Message, messageOf } from '#shared/notifications/message.ts';
import { escapeHtml } from '../template/escape.ts';
import { failed, succeeded } from './delivery.ts';
import { bodyText, TONE_COLOURS } from './message-text.ts';
import {
  type ChannelSender,
  type Delivery,
  SEND_TIMEOUT_MS,
  type SendPorts,
  type SmtpServer,
} from './sender.ts';

const VERIFY_MS = 5_000;

/** E-mail by the operator's server: a connection for each message, and no address but the one vetted. */
export const email: ChannelSender<'EMAIL'> = {
  async problems(_channel, ports): Promise<Problem[]> {
    // Without a server the channel can be saved, as clients do first; each send then tells.
    if (ports.smtp === null) return [];
    const opened = await open(ports.smtp, ports, VERIFY_MS);
    if ('outcome' in opened) return [{ path: 'type', message: opened.detail }];
    const { mailer, signal } = opened;
    const delivery = await attempt(() => mailer.verify(), 'The mail server answered', signal);
    mailer.close();
    return delivery.outcome === 'SUCCESS' ? [] : [{ path: 'type', message: delivery.detail }];
  },
  warnings: ({ smtp }) =>
    smtp === null ? ['No mail server is set, so every send fails: set WATCHPOST_SMTP_HOST'] : [],
  async send({ config }, notice, ports) {
    if (ports.smtp === null)
      return failed('No mail server is set: see WATCHPOST_SMTP_HOST', { permanent: true });
    const opened = await open(ports.smtp, ports, SEND_TIMEOUT_MS);
    if ('outcome' in opened) return opened;
    const message = messageOf(notice);
    const mail = {
      from: ports.smtp.from,
      to: config.address,
      subject: message.title,
      text: `${message.title}\n\n${bodyText(message)}\n`,
      html: emailHtml(message),
      headers: { 'auto-submitted': 'auto-generated' },
    };
    const { mailer, signal } = opened;
    const delivery = await attempt(() => mailer.sendMail(mail), 'Taken by the mail server', signal);
    mailer.close();
    return delivery;
  },
};

/** A connection to the address that was vetted: a name may resolve to another one the next time. */
async function open(
  { host, port, user, password, secure }: SmtpServer,
  { egress }: SendPorts,
  timeoutMs: number,
) {
  const signal = AbortSignal.timeout(timeoutMs);
  const vetted = await egress.vet(host, signal);
  if (vetted.failure !== undefined) {
    const permanent = vetted.failure === 'DENIED_ADDRESS';
    return failed(`${vetted.failure}: ${vetted.message}`, { permanent });
  }
  const mailer = createTransport({
    host: vetted.addresses[0],
    // Ended at the deadline: the times below begin anew with every byte that a server lets drip.
    socket: new Socket({ signal }),
    port,
    secure,
    // A password never leaves in clear text.
    requireTLS: user !== null,
    // An address is no name that a certificate is asked for by.
    tls: isIP(host) === 0 ? { servername: host } : {},
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { mailer, signal };
}

/** Codes of nodemailer for what is not the server's state of the moment. */
const PERMANENT_CODES: ReadonlySet<string> = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE']);

interface SmtpError {
  code?: string;
  responseCode?: number;
}

/** SMTP's replies of 4xx pass, those of 5xx stay (RFC 5321, 4.2.1). */
async function attempt(
  act: () => Promise<unknown>,
  done: string,
  deadline: AbortSignal,
): Promise<Delivery> {
  const startedAt = performance.now();
  try {
    await act();
    return succeeded(`${done} in ${Math.round(performance.now() - startedAt)} ms`);
  } catch (error) {
    const { code, responseCode } = error as SmtpError;
    if (code === undefined) throw new Error('Sending mail broke', { cause: error });
    if (deadline.aborted) return failed('The mail server took too long', { permanent: false });
    const isTemporary = responseCode !== undefined && responseCode < 500;
    const reply = responseCode === undefined ? code : `${code}, reply ${responseCode}`;
    return failed(`The mail server did not take it (${reply})`, {
      permanent: !isTemporary && (PERMANENT_CODES.has(code) || responseCode !== undefined),
    });
  }
}

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
