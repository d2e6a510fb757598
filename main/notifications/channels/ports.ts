import type { Settings } from '#main/platform/settings/table.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { Clock } from '#shared/clock.ts';
import { EgressClient } from '../egress/client.ts';
import { systemResolver } from '../egress/resolver.ts';
import {
  type Desktop,
  ENDPOINTS,
  type PhoneGateway,
  type SendPorts,
  type SmtpServer,
} from './sender.ts';

interface PortParts {
  configuration: Pick<Configuration, 'variables'>;
  clock: Clock;
  /** Null on a server. */
  desktop: Desktop | null;
}

/** What senders send through, as the operator has set it. */
export function sendPorts(
  settings: Settings,
  { configuration, clock, desktop }: PortParts,
): SendPorts {
  const policy = { allowPrivate: settings.allowPrivateEgress, resolve: systemResolver() };
  return {
    egress: new EgressClient(policy),
    endpoints: ENDPOINTS,
    smtp: smtpServer(settings),
    phone: phoneGateway(settings),
    slackToken: settings.slackToken,
    desktop,
    now: () => clock.now(),
    variables: () =>
      Object.fromEntries(configuration.variables.all().map(({ key, value }) => [key, value])),
    secrets: () => [
      ...[
        settings.smtpPassword,
        settings.twilioToken,
        credentialsOf(phoneGateway(settings)),
        settings.slackToken,
      ].filter((secret) => secret !== null),
      ...configuration.variables
        .all()
        .filter(({ locked, secret }) => locked || secret)
        .map(({ value }) => value),
    ],
  };
}

function smtpServer(settings: Settings): SmtpServer | null {
  const { smtpHost: host, smtpPort: port, smtpUser: user, smtpPassword: password } = settings;
  if (host === null) return null;
  return { host, port, user, password, from: settings.smtpFrom, secure: settings.smtpSecure };
}

function phoneGateway(settings: Settings): PhoneGateway | null {
  const {
    twilioUrl: url,
    twilioAccountSid: accountSid,
    twilioToken: token,
    twilioFrom: from,
  } = settings;
  if (accountSid === null || token === null || from === null) return null;
  return { url, accountSid, token, from };
}

/** As they go in its header. */
function credentialsOf(phone: PhoneGateway | null): string | null {
  return phone && `${phone.accountSid}:${phone.token}`;
}
