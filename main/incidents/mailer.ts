import { createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Log } from '#main/platform/log.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import {
  atEnd,
  done,
  isDue,
  type MailOutcome,
  nextStep,
  withoutDeferred,
} from '#shared/status-pages/mailing-rules.ts';
import type { MailPort } from './mail-port.ts';
import {
  type Found,
  type MailingMachinePort,
  type MailJob,
  mailingMachine,
} from './mailing.machine.ts';
import type { MailingPort } from './mailing-port.ts';
import { Recipients } from './recipients.ts';

interface MailerParts {
  history: Pick<
    History,
    'nextMailing' | 'listSubscribers' | 'findSubscription' | 'findIncident' | 'write'
  >;
  configuration: Pick<Configuration, 'statusPages'>;
  clock: Clock;
  log: Log;
  mail: MailPort;
  /** Most mails a minute. */
  perMinute: number;
}

/** How long a stop waits for the mail under way. */
const DRAIN_MS = 5_000;
/**
 * Sends mailings to subscribers, one mail after another, through the mailing machine, whose port is bound
 * here. Mailings wait in the store: in memory are one of them and a page of its subscribers.
 */
export class Mailer implements MailingPort, MailingMachinePort {
  readonly #parts: MailerParts;
  readonly #recipients: Recipients;
  readonly #actor;
  #isServerDown = false;
  #hasWarned = false;

  constructor(parts: MailerParts) {
    this.#parts = parts;
    this.#recipients = new Recipients(parts);
    const { clock, perMinute } = parts;
    this.#actor = createActor(mailingMachine, {
      clock: actorClock(clock),
      input: { clock, perMinute, port: this },
    });
  }

  /** Sends what is pending since before the last stop, and from then on what comes. */
  start(): void {
    this.#actor.start();
  }

  enqueue(): void {
    this.#actor.send({ type: 'WAKE' });
  }

  /** Lets the mail under way end, and leaves what is pending to the next start. */
  async stop(): Promise<void> {
    if (this.#actor.getSnapshot().status !== 'active') return;
    const { clock } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, DRAIN_MS);
    this.#actor.subscribe({ complete: resolve });
    this.#actor.send({ type: 'STOP' });
    await promise;
    clock.clearTimeout(timer);
    this.#actor.stop();
  }

  async find(): Promise<Found> {
    const { history, clock } = this.#parts;
    for (;;) {
      const now = clock.now();
      const mailing = await history.nextMailing(now);
      if (mailing === null) return { job: null, until: null };
      if (!isDue(mailing, now)) return { job: null, until: mailing.dueAt };
      const job = await this.#jobOf(mailing, now);
      if (job !== null) return { job };
    }
  }

  async send({ mailing, recipient }: MailJob): Promise<MailOutcome | 'down'> {
    const { mail, log } = this.#parts;
    const fields = { mailingId: mailing.id, subscriptionId: recipient.subscription.id };
    try {
      const { outcome, permanent, isServerDown, detail } = await mail.send(
        mail.compose(mailing.content, recipient),
      );
      this.#noteServer(isServerDown, detail);
      if (isServerDown) return 'down';
      if (outcome === 'SUCCESS') return 'sent';
      log.warn(fields, `A mail to a subscriber was not sent: ${detail}`);
      return permanent ? 'refused' : 'failed';
    } catch (error) {
      log.error({ err: error, ...fields }, 'A mail to a subscriber could not be made.');
      return 'failed';
    }
  }

  async write(mailing: StoredMailing): Promise<void> {
    await this.#parts.history.write({ mailings: [mailing] });
  }

  /** Null where nothing of the mailing can be sent now; what it is then is written. */
  async #jobOf(mailing: StoredMailing, now: number): Promise<MailJob | null> {
    if (!this.#parts.mail.isSet) return this.#drop(mailing);
    if (await this.#isWithdrawn(mailing)) return this.#finish(mailing, 'what it says was deleted');
    const step = nextStep(mailing, now);
    switch (step.kind) {
      case 'finish':
        return this.#finish(mailing);
      case 'giveUp':
        return this.#finish(mailing, 'it is older than a day');
      case 'wait':
        await this.write({ ...mailing, dueAt: step.until });
        return null;
      case 'next': {
        const recipient = await this.#recipients.next(mailing);
        return recipient ? { mailing, recipient } : this.#jobOf(atEnd(mailing, now), now);
      }
      case 'retry': {
        const { subscriptionId } = step;
        const recipient = await this.#recipients.find(mailing, subscriptionId);
        if (recipient !== null) return { mailing, recipient };
        return this.#jobOf(withoutDeferred(mailing, subscriptionId), now);
      }
    }
  }

  /** Whether somebody deleted the update that it is about, or the whole incident. Rejects as the store. */
  async #isWithdrawn({ content }: StoredMailing): Promise<boolean> {
    if (content.kind !== 'incident') return false;
    const incident = await this.#parts.history.findIncident(content.incidentId);
    return !incident?.updates.some(({ id }) => id === content.updateId);
  }

  /** Without a mail server nobody hears of anything, which is said once. */
  async #drop(mailing: StoredMailing): Promise<null> {
    await this.write(done(mailing));
    if (!this.#hasWarned) {
      this.#parts.log.warn(
        'No mail server is set, so subscribers get no mails: WATCHPOST_SMTP_HOST',
      );
    }
    this.#hasWarned = true;
    return null;
  }

  /** @param trouble why it ends before its last subscriber */
  async #finish(mailing: StoredMailing, trouble?: string): Promise<null> {
    await this.write(done(mailing));
    const { id: mailingId, sent, failed } = mailing;
    const { log } = this.#parts;
    if (trouble === undefined) log.info({ mailingId, sent, failed }, 'A mailing is done.');
    else log.warn({ mailingId, sent, failed }, `A mailing was given up: ${trouble}`);
    return null;
  }

  /** One line where the server goes down, and one where it is back. */
  #noteServer(isDown: boolean, detail: string): void {
    const { log } = this.#parts;
    if (isDown && !this.#isServerDown) log.warn(`Mails to subscribers wait: ${detail}`);
    if (!isDown && this.#isServerDown) log.info('Mails to subscribers are sent again.');
    this.#isServerDown = isDown;
  }
}
