import { isIP, Socket } from 'node:net';
import type { createTransport } from 'nodemailer';
import type { Mail } from '#shared/notifications/mail.ts';
import { failed, succeeded } from './channels/delivery.ts';
import {
  type Delivery,
  SEND_TIMEOUT_MS,
  type SendPorts,
  type SmtpServer,
} from './channels/sender.ts';

const VERIFY_MS = 5_000;

type MailPorts = Pick<SendPorts, 'egress' | 'smtp'>;

/** What became of one attempt to send a mail. */
export interface MailDelivery extends Delivery {
  /** The server cannot be reached, or lets nobody in: the failure says nothing of the address. */
  isServerDown: boolean;
}

/** Sends a mail once by the operator's server, over a connection of its own. */
export function sendMail(mail: Mail, ports: MailPorts): Promise<MailDelivery> {
  return withServer(ports, {
    done: 'Taken by the mail server',
    timeoutMs: SEND_TIMEOUT_MS,
    // As an object: a text would be read as a list of addresses.
    act: (mailer, from) => mailer.sendMail({ ...mail, from, to: { name: '', address: mail.to } }),
  });
}

/** Whether the operator's server answers and lets us in. */
export function verifyMailServer(ports: MailPorts): Promise<MailDelivery> {
  return withServer(ports, {
    done: 'The mail server answered',
    timeoutMs: VERIFY_MS,
    act: (mailer) => mailer.verify(),
  });
}

type Mailer = ReturnType<typeof createTransport>;

interface Task {
  done: string;
  timeoutMs: number;
  act(mailer: Mailer, from: string): Promise<unknown>;
}

/** A connection to no address but the one vetted: a name may resolve to another one the next time. */
async function withServer({ smtp, egress }: MailPorts, task: Task): Promise<MailDelivery> {
  if (smtp === null) {
    const delivery = failed('No mail server is set: see WATCHPOST_SMTP_HOST', { permanent: true });
    return { ...delivery, isServerDown: true };
  }
  const signal = AbortSignal.timeout(task.timeoutMs);
  const vetted = await egress.vet(smtp.host, signal);
  if (vetted.failure !== undefined) {
    const permanent = vetted.failure === 'DENIED_ADDRESS';
    const delivery = failed(`${vetted.failure}: ${vetted.message}`, { permanent });
    return { ...delivery, isServerDown: true };
  }
  // Ended at the deadline: nodemailer's own limits begin anew with every byte that a server lets drip.
  const socket = new Socket({ signal });
  const mailer = await open(smtp, {
    address: vetted.addresses[0],
    socket,
    timeoutMs: task.timeoutMs,
  });
  const delivery = await attempt(() => task.act(mailer, smtp.from), task.done, { signal, socket });
  mailer.close();
  return delivery;
}

async function open(
  { host, port, user, password, secure }: SmtpServer,
  {
    address,
    socket,
    timeoutMs,
  }: { address: string | undefined; socket: Socket; timeoutMs: number },
): Promise<Mailer> {
  // Not before there is something to send, as most appliances never do.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: address,
    socket,
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
}

/** Codes of nodemailer for what is not the server's state of the moment. */
const PERMANENT_CODES: ReadonlySet<string> = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE']);

interface SmtpError {
  code?: string;
  responseCode?: number;
  /** What was being done, such as `RCPT TO`; `CONN` where the connection broke, `API` before any. */
  command?: string;
}

/** SMTP's replies of 4xx pass, those of 5xx stay (RFC 5321, 4.2.1). */
async function attempt(
  act: () => Promise<unknown>,
  done: string,
  { signal, socket }: { signal: AbortSignal; socket: Socket },
): Promise<MailDelivery> {
  const startedAt = performance.now();
  try {
    await act();
    const delivery = succeeded(`${done} in ${Math.round(performance.now() - startedAt)} ms`);
    return { ...delivery, isServerDown: false };
  } catch (error) {
    const failure = error as SmtpError;
    if (failure.code === undefined) throw new Error('Sending mail broke', { cause: error });
    const isServerDown = !isOfMail(failure, socket.bytesRead > 0);
    if (signal.aborted) {
      return { ...failed('The mail server took too long', { permanent: false }), isServerDown };
    }
    return { ...failureOf(failure), isServerDown };
  }
}

function failureOf({ code = '', responseCode }: SmtpError): Delivery {
  const isTemporary = responseCode !== undefined && responseCode < 500;
  const reply = responseCode === undefined ? code : `${code}, reply ${responseCode}`;
  return failed(`The mail server did not take it (${reply})`, {
    permanent: !isTemporary && (PERMANENT_CODES.has(code) || responseCode !== undefined),
  });
}

const MAIL_COMMANDS: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** How a connection ends without a reply. */
const BROKEN_CODES: ReadonlySet<string> = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT']);

/**
 * Whether a failure may be of this mail and its address. A server that greeted and then went silent may be
 * asking another one about the address.
 */
function isOfMail({ code = '', command = '', responseCode }: SmtpError, greeted: boolean): boolean {
  if (MAIL_COMMANDS.has(command)) return true;
  if (command === 'API') return code === 'EENVELOPE' || code === 'EMESSAGE';
  return greeted && BROKEN_CODES.has(code) && responseCode === undefined;
}
