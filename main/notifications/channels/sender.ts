import type { Problem } from '#shared/api/problems.ts';
import type { ChannelOf } from '#shared/notifications/channel.ts';
import type { ChannelType } from '#shared/notifications/config.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import type { EgressClient } from '../egress/client.ts';

/** What became of one attempt to send. */
export interface Delivery {
  outcome: 'SUCCESS' | 'FAILURE' | 'RATE_LIMITED';
  /** Status and time, or the cause: nothing that the receiver wrote, as it may hold secrets. */
  detail: string;
  /** What the receiver answered to a failure: for the delivery log only, cut there and without secrets. */
  answer: string | null;
  /** How long the receiver asks to wait. */
  retryAfterMs?: number;
  /** Trying again would end the same way until somebody changes something. */
  permanent: boolean;
  /** It was tried while the network of this machine was dead: a failure says nothing of the channel. */
  isOurFault?: boolean;
  /** There was nothing to send: a success that says nothing of the channel. */
  isUnsent?: true;
}

/** The operator's mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  user: string | null;
  password: string | null;
  from: string;
  /** TLS from the first byte; else STARTTLS where it is offered. */
  secure: boolean;
}

/** The operator's account at Twilio, or at what speaks like it. */
export interface PhoneGateway {
  /** Without a slash at its end. */
  url: string;
  accountSid: string;
  token: string;
  from: string;
}

/** The notifications of the desktop that the appliance runs on. */
export interface Desktop {
  show(notification: { title: string; body: string; link: string | null }): Promise<void>;
}

/** Where the services answer; without a slash at the end. */
interface Endpoints {
  pagerduty: string;
  opsgenieUs: string;
  opsgenieEu: string;
  slack: string;
}

export const ENDPOINTS: Endpoints = {
  pagerduty: 'https://events.pagerduty.com',
  opsgenieUs: 'https://api.opsgenie.com',
  opsgenieEu: 'https://api.eu.opsgenie.com',
  slack: 'https://slack.com',
};

/** What senders send through, and what the operator has set. Null: not set, or not there. */
export interface SendPorts {
  egress: EgressClient;
  endpoints: Endpoints;
  smtp: SmtpServer | null;
  phone: PhoneGateway | null;
  slackToken: string | null;
  desktop: Desktop | null;
  /** Epoch milliseconds. */
  now(): number;
  /** The account's variables, for templates. */
  variables(): Readonly<Record<string, string>>;
  /** What no log may hold: the operator's own keys, and the variables that nobody reads. */
  secrets(): string[];
}

/** One kind of channel. */
export interface ChannelSender<T extends ChannelType> {
  /** What keeps a channel from being saved; every path begins with `config` or is `type`. */
  problems?(channel: Pick<ChannelOf<T>, 'config'>, ports: SendPorts): Promise<Problem[]>;
  /** What of the operator's settings is missing: a channel can be saved without, but not sent over. */
  warnings?(ports: SendPorts): string[];
  send(channel: ChannelOf<T>, notice: NotificationContent, ports: SendPorts): Promise<Delivery>;
}

/** How long one attempt may take, names and connections and all. */
export const SEND_TIMEOUT_MS = 15_000;
