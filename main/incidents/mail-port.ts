import type { Mail } from '#shared/notifications/mail.ts';
import type { MailingContent } from '#shared/status-pages/mailing.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';

/** Who gets a mail, and for which page. */
export interface Recipient {
  mailingId: string;
  page: StatusPage;
  subscription: StoredSubscription;
}

/** What became of one attempt to send a mail. */
export interface SentMail {
  outcome: 'SUCCESS' | 'FAILURE' | 'RATE_LIMITED';
  /** Trying again would end the same way. */
  permanent: boolean;
  /** The server cannot be reached, or lets nobody in: the failure says nothing of the address. */
  isServerDown: boolean;
  /** For the log; nothing that the server wrote. */
  detail: string;
}

/** What mailings leave by. */
export interface MailPort {
  /** Whether the operator has set a mail server. */
  isSet: boolean;
  compose(content: MailingContent, recipient: Recipient): Mail;
  /** Sends once, within a time limit. */
  send(mail: Mail): Promise<SentMail>;
}
