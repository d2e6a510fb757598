import { type DeferredMail, MAX_DEFERRED, type StoredMailing } from './mailing.ts';

const MINUTE_MS = 60_000;
/** How long an address waits after each of its tries that fails for now; after one more it has failed. */
const RETRY_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const LONGEST_WAIT_MS = Math.max(...RETRY_MS);
/** News that is older than this is none. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

/** What became of a mail to one address. */
export type MailOutcome =
  | 'sent'
  /** Nobody is there, or the server takes no such mail: trying again would end the same way. */
  | 'refused'
  /** Not for now. */
  | 'failed';

/** What is to be done for a mailing next. */
export type MailingStep =
  | { kind: 'giveUp' | 'finish' | 'next' }
  | { kind: 'retry'; subscriptionId: string }
  /** Nothing before then, epoch ms. */
  | { kind: 'wait'; until: number };

/** @param now epoch ms */
export function nextStep(mailing: StoredMailing, now: number): MailingStep {
  const { deferred, isAtEnd, createdAt } = mailing;
  const [first] = deferred.toSorted((a, b) => a.dueAt - b.dueAt);
  if (isAtEnd && first === undefined) return { kind: 'finish' };
  if (now - createdAt > GIVEN_UP_AFTER_MS) return { kind: 'giveUp' };
  if (first && isDue(first, now)) return { kind: 'retry', subscriptionId: first.subscriptionId };
  if (first && (isAtEnd || deferred.length >= MAX_DEFERRED)) {
    return { kind: 'wait', until: first.dueAt };
  }
  return { kind: 'next' };
}

/**
 * A mailing after a mail to a subscriber: who was new moves the cursor, who waited for another try waits
 * no longer, or again.
 */
export function afterMail(
  mailing: StoredMailing,
  { id, address }: { id: string; address: string },
  { outcome, now }: { outcome: MailOutcome; now: number },
): StoredMailing {
  const before = mailing.deferred.find(({ subscriptionId }) => subscriptionId === id);
  const { deferred: others } = withoutDeferred(mailing, id);
  const again = outcome === 'failed' ? retryOf(id, before, now) : null;
  const isFailed = outcome === 'refused' || (outcome === 'failed' && again === null);
  return withDueAt(
    {
      ...mailing,
      after: before === undefined ? address : mailing.after,
      deferred: again === null ? others : [...others, again],
      sent: mailing.sent + Number(outcome === 'sent'),
      failed: mailing.failed + Number(isFailed),
    },
    now,
  );
}

/** A mailing without a subscriber who waited for another try and has ended the subscription. */
export function withoutDeferred(mailing: StoredMailing, subscriptionId: string): StoredMailing {
  const deferred = mailing.deferred.filter((one) => one.subscriptionId !== subscriptionId);
  return { ...mailing, deferred };
}

/** A mailing after the last of its subscribers was new. */
export function atEnd(mailing: StoredMailing, now: number): StoredMailing {
  return withDueAt({ ...mailing, isAtEnd: true }, now);
}

/** A mailing of which nothing more is sent. */
export function done(mailing: StoredMailing): StoredMailing {
  return { ...mailing, status: 'DONE', deferred: [] };
}

/** No wait is longer than the longest, but where the clock was set back. */
export function isDue({ dueAt }: { dueAt: number }, now: number): boolean {
  return dueAt <= now || dueAt - now > LONGEST_WAIT_MS;
}

function retryOf(id: string, before: DeferredMail | undefined, now: number): DeferredMail | null {
  const tries = (before?.tries ?? 0) + 1;
  const waitMs = RETRY_MS[tries - 1];
  return waitMs === undefined ? null : { subscriptionId: id, tries, dueAt: now + waitMs };
}

function withDueAt(mailing: StoredMailing, now: number): StoredMailing {
  const step = nextStep(mailing, now);
  return { ...mailing, dueAt: step.kind === 'wait' ? step.until : now };
}
