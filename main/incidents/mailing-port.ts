import type { StoredMailing } from '#shared/status-pages/mailing.ts';

/** What sends mailings to subscribers, as those who write mailings see it. */
export interface MailingPort {
  /** Has mailings sent that are written already. Never throws; what it cannot hold is sent later. */
  enqueue(mailings: readonly StoredMailing[]): void;
}
