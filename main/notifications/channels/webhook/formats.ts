import type { WebhookType } from '#shared/notifications/config.ts';
import { discord } from './discord.ts';
import type { WebhookFormat } from './format.ts';
import { gotify } from './gotify.ts';
import { msteams } from './msteams.ts';
import { ntfy } from './ntfy.ts';
import { plain } from './plain.ts';
import { pushover } from './pushover.ts';
import { telegram } from './telegram.ts';

/** What each service is sent where the channel has no template. Most take any JSON as it comes. */
const WEBHOOK_FORMATS = {
  WEBHOOK_CORALOGIX: plain,
  WEBHOOK_DISCORD: discord,
  WEBHOOK_FIREHYDRANT: plain,
  WEBHOOK_GITLAB_ALERT: plain,
  WEBHOOK_ILERT: plain,
  WEBHOOK_INCIDENTIO: plain,
  WEBHOOK_MSTEAMS: msteams,
  WEBHOOK_ROOTLY: plain,
  WEBHOOK_SPIKESH: plain,
  WEBHOOK_SPLUNK: plain,
  WEBHOOK_TELEGRAM: telegram,
  WEBHOOK_NTFY: ntfy,
  WEBHOOK_GOTIFY: gotify,
  WEBHOOK_PUSHOVER: pushover,
} as const satisfies { [K in WebhookType]: WebhookFormat };

export function formatOf(type: WebhookType | null | undefined): WebhookFormat {
  return type === null || type === undefined ? plain : WEBHOOK_FORMATS[type];
}
