import { pino } from 'pino';
import type { Delivery } from '#main/notifications/channels/sender.ts';
import type { OutboxLimits } from '#main/notifications/delivery-port.ts';
import { Outbox } from '#main/notifications/outbox.ts';
import type { Log } from '#main/platform/log.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { HistoryRecords, PendingQuery } from '#main/store/history/history.ts';
import type { AlertChannel, ChannelFlags } from '#shared/notifications/channel.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import type {
  AlertContent,
  NotificationContent,
  ToldAlertType,
} from '#shared/notifications/notice.ts';
import { isUnsent, type StoredNotification } from '#shared/notifications/notification.ts';
import { MemoryCollection } from '../../fixtures/memory-configuration.ts';
import { FAILURE, makeChannel } from '../../fixtures/notification-contents.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

export const LIMITS: OutboxLimits = { stormAlerts: 5, messagesPerMinute: 10 };

export const TOLD: Delivery = {
  outcome: 'SUCCESS',
  detail: 'HTTP 200 in 5 ms',
  answer: null,
  permanent: false,
};
export const FAILED: Delivery = { ...TOLD, outcome: 'FAILURE', detail: 'HTTP 503 in 5 ms' };
export const REFUSED: Delivery = { ...FAILED, detail: 'HTTP 404 in 5 ms', permanent: true };

/** One alert of the check of this name, owed to a channel since `at`. */
export function owed(
  name: string,
  at: number,
  {
    channelId = '1',
    alertType = 'ALERT_FAILURE',
    notice = {},
  }: { channelId?: string; alertType?: ToldAlertType; notice?: Partial<AlertContent> } = {},
): StoredNotification {
  const check = { ...FAILURE.check, id: `check ${name}`, name };
  return {
    // Sorts among others by its time, as every id does.
    id: `${uuidAt(at).slice(0, 15)} ${channelId} ${name} ${alertType}`,
    channelId,
    channelType: 'WEBHOOK',
    status: 'PENDING',
    notice: { ...FAILURE, error: `error of ${name}`, ...notice, alertType, check },
    checkId: check.id,
    checkType: check.type,
    checkAlertId: null,
    checkResultId: null,
    tries: 0,
    dueAt: at,
    createdAt: at,
    settledAt: null,
    outcome: null,
    digestId: null,
  };
}

/** What a message says, in a word: the check's name, with a mark for good news, or the digest's. */
export function wordOf(notice: NotificationContent): string {
  if (notice.kind === 'alert') {
    return notice.alertType === 'ALERT_RECOVERY' ? `${notice.check.name} ok` : notice.check.name;
  }
  if (notice.kind === 'digest') return `${notice.count} ${notice.direction}`;
  if (notice.kind === 'flapping') return `${notice.check.name} flaps`;
  if (notice.kind === 'test') return notice.kind;
  if (notice.kind === 'closing') return `close ${notice.incident}`;
  return `${notice.condition}${notice.isOver ? ' over' : ''}`;
}

/** The notifications of a history, with the store's own rule: what is settled is never changed. */
export class KeptNotifications {
  readonly byId = new Map<string, StoredNotification>();
  readonly states = new Map<string, ChannelState>();
  /** What the next calls reject with; undefined: they succeed. */
  failure: Error | undefined;
  /** The same of writes alone. */
  writeFailure: Error | undefined;

  async write({ notifications = [], channelStates = [] }: HistoryRecords): Promise<void> {
    const failure = this.failure ?? this.writeFailure;
    if (failure) throw failure;
    for (const one of notifications) {
      const kept = this.byId.get(one.id);
      if (!kept || isUnsent(kept.status)) this.byId.set(one.id, one);
    }
    for (const { channelId, state } of channelStates) {
      if (state === null) this.states.delete(channelId);
      else this.states.set(channelId, structuredClone(state));
    }
  }

  async loadPendingNotifications({
    after = '',
    limit,
  }: PendingQuery): Promise<StoredNotification[]> {
    if (this.failure) throw this.failure;
    return [...this.byId.values()]
      .filter(({ id, status }) => isUnsent(status) && id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  async loadChannelStates(): Promise<Map<string, ChannelState>> {
    if (this.failure) throw this.failure;
    return new Map(this.states);
  }

  async findNotification(id: string): Promise<StoredNotification | null> {
    return this.byId.get(id) ?? null;
  }

  statuses(): Record<string, number> {
    const groups = Map.groupBy(this.byId.values(), ({ status }) => status);
    return Object.fromEntries([...groups].map(([status, all]) => [status, all.length]));
  }
}

export interface Sending {
  channelId: string;
  word: string;
  notice: NotificationContent;
  /** Since the scene began, ms. */
  atMs: number;
}

const never = new Promise<never>(() => {});

export type Answer = (sending: Sending) => Delivery | Promise<Delivery>;

export function webhook(id: string, flags: Partial<ChannelFlags> = {}): AlertChannel {
  return makeChannel('WEBHOOK', { name: `hook ${id}`, url: 'http://x.test' }, { ...flags, id });
}

/** An outbox on a simulated clock, with channels, a store and senders that note what they send. */
export async function outboxScene({
  channels = ['1'],
  limits = {},
  changingLimits,
  store = new KeptNotifications(),
  clock = new SimulatedClock(),
  maxPending,
  isNetworkDown = () => false,
  log = pino({ level: 'silent' }),
  answer = () => TOLD,
}: {
  /** Ids of webhooks, or channels. */
  channels?: readonly (string | AlertChannel)[];
  limits?: Partial<OutboxLimits>;
  /** In place of those. */
  changingLimits?: OutboxLimits;
  store?: KeptNotifications;
  clock?: SimulatedClock;
  maxPending?: number;
  isNetworkDown?: () => boolean;
  log?: Log;
  answer?: Answer;
} = {}) {
  const collection = new MemoryCollection<AlertChannel>();
  for (const one of channels) await collection.put(typeof one === 'string' ? webhook(one) : one);
  const sent: Sending[] = [];
  const began = clock.now();
  const answerWith = (next: Answer) => {
    answer = next;
  };
  let isCrashed = false;
  let writesLeft = Infinity;
  const unlessCrashed = <T>(call: () => Promise<T>) => (isCrashed ? never : call());
  const desk = new Outbox({
    history: {
      write: (facts) => {
        if (writesLeft === 0) isCrashed = true;
        writesLeft -= 1;
        return unlessCrashed(() => store.write(facts));
      },
      loadPendingNotifications: (query) =>
        unlessCrashed(() => store.loadPendingNotifications(query)),
      loadChannelStates: () => unlessCrashed(() => store.loadChannelStates()),
      findNotification: (id) => unlessCrashed(() => store.findNotification(id)),
    },
    channels: collection,
    limits: changingLimits ?? { ...LIMITS, ...limits },
    clock,
    isNetworkDown,
    log,
    ...(maxPending !== undefined && { maxPending }),
    send: async ({ id: channelId }, notice) => {
      if (isCrashed) return never;
      const sending = { channelId, word: wordOf(notice), notice, atMs: clock.now() - began };
      sent.push(sending);
      return answer(sending);
    },
  });
  await desk.start();
  /** Has notifications kept and sent, as the recorder does. */
  const take = async (...notifications: StoredNotification[]) => {
    await store.write({ notifications });
    desk.enqueue(notifications);
  };
  const words = (channelId = '1') =>
    sent.filter((one) => one.channelId === channelId).map(({ word }) => word);
  /** From now on, or at the write after some more, nothing is sent and nothing is kept: `kill -9`. */
  const crash = ({ afterWrites = 0 } = {}) => {
    isCrashed = afterWrites === 0;
    writesLeft = afterWrites;
  };
  return { answerWith, crash, desk, store, clock, channels: collection, sent, take, words };
}
