import type { ServerResponse } from 'node:http';
import { type Behaviour, startNameServer } from '../fixtures/dns/server.ts';
import { Receiver } from '../fixtures/receiver.ts';
import { SmtpSink } from '../fixtures/smtp-sink.ts';
import type { Normaliser } from './normaliser.ts';

/** What the checks ask: `/up` answers as it is told to, `/held` only once it is released. */
class Target {
  isUp = true;
  #held = Promise.withResolvers<() => void>();

  /** The next request of `/held`, as what lets it be answered. */
  nextHeld(): Promise<() => void> {
    this.#held = Promise.withResolvers();
    return this.#held.promise;
  }

  answer(response: ServerResponse, path: string): void {
    // Its date would be part of what a result shows.
    response.sendDate = false;
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-target', 'loopback');
    if (path.startsWith('/held')) this.#held.resolve(() => response.end('{"is":"held"}'));
    else response.writeHead(this.isUp ? 200 : 503).end(`{"is":"${this.isUp ? 'up' : 'down'}"}`);
  }
}

const UNKEPT_HEADERS = new Set(['content-length', 'connection', 'host']);

interface Servers {
  target: Receiver;
  receiver: Receiver;
  mail: SmtpSink;
  dns: number;
}

/** The servers on loopback that a recorded appliance talks to. */
export class World {
  readonly target = new Target();
  readonly #servers: Servers;
  readonly #parts: AsyncDisposableStack;

  /** What came for each address. */
  readonly #mails = new Map<string, PromiseWithResolvers<string>>();

  private constructor(servers: Servers, parts: AsyncDisposableStack) {
    this.#servers = servers;
    servers.mail.onMail = ({ to, source }) => this.#mailTo(to).resolve(readable(source));
    this.#parts = parts;
    servers.target.answer = (response, { url }) => this.target.answer(response, url);
  }

  static async start(): Promise<World> {
    await using parts = new AsyncDisposableStack();
    const names: Record<string, Behaviour> = {
      'up.test': {
        kind: 'answer',
        answers: [{ type: 'A', name: 'up.test', ttl: 60, data: '192.0.2.1' }],
      },
    };
    const servers = {
      target: parts.use(await Receiver.start()),
      receiver: parts.use(await Receiver.start()),
      mail: parts.use(await SmtpSink.start()),
      dns: parts.use(await startNameServer(names)).port,
    };
    return new World(servers, parts.move());
  }

  /** The first mail to an address, whenever it comes. */
  mailTo(address: string): Promise<string> {
    return this.#mailTo(address).promise;
  }

  #mailTo(address: string): PromiseWithResolvers<string> {
    const mail = this.#mails.get(address) ?? Promise.withResolvers<string>();
    this.#mails.set(address, mail);
    return mail;
  }

  get targetUrl(): string {
    return this.#servers.target.url;
  }

  get targetPort(): number {
    return this.#servers.target.port;
  }

  get receiverUrl(): string {
    return this.#servers.receiver.url;
  }

  get dns(): number {
    return this.#servers.dns;
  }

  /** The settings of an appliance in this world, which asks nothing outside of this machine. */
  get settings(): Record<string, string> {
    return {
      WATCHPOST_ALLOW_PRIVATE_EGRESS: '127.0.0.0/8',
      WATCHPOST_DENY_RANGES: '10.0.0.0/8',
      WATCHPOST_PROBE_GATEWAY: 'false',
      WATCHPOST_PROBE_RESOLVERS: 'false',
      WATCHPOST_STORM_ALERTS: '0',
      WATCHPOST_MESSAGES_PER_MINUTE: '1000',
      WATCHPOST_SMTP_HOST: '127.0.0.1',
      WATCHPOST_SMTP_PORT: String(this.#servers.mail.port),
      WATCHPOST_TWILIO_ACCOUNT_SID: 'sid',
      WATCHPOST_TWILIO_TOKEN: 'twilio-token',
      WATCHPOST_TWILIO_FROM: '+15005550006',
      WATCHPOST_TWILIO_URL: this.receiverUrl,
      WATCHPOST_SLACK_TOKEN: 'slack-token',
    };
  }

  nameIn(normaliser: Normaliser): void {
    const { target, receiver, mail, dns } = this.#servers;
    normaliser.namePort(target.port, 'the target');
    normaliser.namePort(receiver.port, 'the receiver');
    normaliser.namePort(mail.port, 'the mail server');
    normaliser.namePort(dns, 'the name server');
  }

  /** What channels sent, by the path or address they sent it to, each in the order it came. */
  deliveries(normaliser: Normaliser): string {
    const { receiver, mail } = this.#servers;
    const requests = receiver.requests.toSorted((one, other) => compare(one.url, other.url));
    const texts = requests.map(({ method, url, headers, body }) => {
      const kept = Object.entries(headers).filter(([name]) => !UNKEPT_HEADERS.has(name));
      const lines = kept.map(([name, value]) => `${name}: ${value}`);
      return [`=== ${method} ${url}`, ...lines, '', shown(body, normaliser)].join('\n');
    });
    // Those to subscribers come whenever alerts do.
    const sorted = mail.mails.toSorted((one, other) => compare(one.to, other.to));
    const mails = sorted.map(
      ({ from, to, source }) => `=== mail ${from} ${to}\n${readable(source)}`,
    );
    return normaliser.text([...texts, ...mails].join('\n'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

function shown(body: string, normaliser: Normaliser): string {
  if (!body.startsWith('{')) return `${[...new URLSearchParams(body)].join('\n')}\n`;
  return `${JSON.stringify(normaliser.json(JSON.parse(body)), null, 1)}\n`;
}

/** A mail without its transfer encoding (quoted-printable), which cuts lines anywhere. */
function readable(source: string): string {
  const joined = source.replaceAll(/=\r?\n/g, '');
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
