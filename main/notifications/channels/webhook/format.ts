import type { ChannelConfigs } from '#shared/notifications/config.ts';
import type { Message } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';

export type WebhookConfig = ChannelConfigs['WEBHOOK'];

/** A request without a template of the user's. */
interface Draft {
  url: URL;
  query: readonly (readonly [string, string])[];
  notice: NotificationContent;
  message: Message;
}

/** What a service wants to be sent. */
export interface WebhookFormat {
  /** Query parameters that it does not work without. */
  needs?: readonly string[];
  /** Where and what to send; `query` is what is added to the URL. */
  compose(draft: Draft): { url: URL; query: Draft['query']; body: unknown };
}
