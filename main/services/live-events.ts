import { randomBytes } from 'node:crypto';
import type { CheckSessionsPort } from '#main/sessions/sessions-port.ts';
import type { Collection, Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { LiveEvent, WatchedKind } from '#shared/summaries/live-event.ts';
import { summarizeSession } from '#shared/summaries/session-summary.ts';
import type { ServiceParts } from './resource.ts';
import { tooMany } from './service-error.ts';

/** Where the messages of one stream go. */
export interface EventSink {
  write(text: string): void;
  /** Bytes that were written and not taken yet. */
  readonly waitingBytes: number;
  end(): void;
}

interface Client {
  sink: EventSink;
  /** Whether whoever opened it may still read it. */
  mayRead(): boolean;
  /** It took too little: messages were left out. */
  isBehind: boolean;
}

interface Message {
  number: number;
  text: string;
}

interface LiveEventParts extends Pick<ServiceParts, 'clock'> {
  configuration: Pick<ServiceParts['configuration'], 'keys' | 'signIns'>;
}

/** What happens within this time goes in one message. */
const TICK_MS = 500;
const HEARTBEAT_MS = 15_000;
/** How long messages are held after the last one who wanted them. */
const AWAKE_MS = 60_000;

/** More than this in one message is told as a loss: to read all anew is then less. */
const MAX_EVENTS = 2_000;
const MAX_MESSAGES = 400;
const MAX_HELD_CHARS = 4_000_000;
const MAX_WAITING_BYTES = 512 * 1_024;
const MAX_CLIENTS = 200;
const RETRY_MS = 2_000;

/**
 * Tells open pages what happens: one message for all of them twice a second, made once. Messages are held for a
 * while, so that a page whose connection broke misses none; one that takes too little is told to read anew. As long
 * as nobody listens nothing is made.
 */
export class LiveEvents {
  readonly #parts: LiveEventParts;
  /** Tells messages of this start from those of others. */
  readonly #start = randomBytes(4).toString('hex');
  readonly #clients = new Set<Client>();
  #pending: LiveEvent[] = [];
  /** What `changed` was said of among these: once is enough. */
  readonly #changed = new Set<string>();
  #messages: Message[] = [];
  #heldChars = 0;
  #number = 0;
  #awakeUntil = 0;
  #tick: unknown;
  #heartbeat: unknown;
  readonly #stops: (() => void)[];

  constructor(parts: LiveEventParts) {
    this.#parts = parts;
    const { keys, signIns } = parts.configuration;
    const look = () => this.#endRefused();
    this.#stops = [keys.subscribe(look), signIns.subscribe(look)];
  }

  push(event: LiveEvent): void {
    if (!this.#isAwake || this.#isSaid(event)) return;
    this.#pending.push(event);
    this.#tick ??= this.#parts.clock.setTimeout(() => this.#flush(), TICK_MS);
  }

  #isSaid(event: LiveEvent): boolean {
    if (event.kind !== 'changed') return false;
    const key = `${event.what} ${event.id}`;
    const isSaid = this.#changed.has(key);
    this.#changed.add(key);
    return isSaid;
  }

  /** Where a stream goes on from that is opened within a minute. */
  cursor(): string {
    this.#wake();
    // What is pending is known to whoever asks: it goes before.
    if (this.#pending.length > 0) this.#flush();
    return this.#idOf(this.#number);
  }

  /**
   * Opens a stream.
   *
   * @param lastId of the last message that was taken, or a {@link cursor}; undefined: from now on
   * @returns the way to end it
   * @throws ServiceError TOO_MANY
   */
  open(sink: EventSink, lastId: string | undefined, mayRead: () => boolean): () => void {
    if (this.#clients.size >= MAX_CLIENTS) throw tooMany('Too many pages are open', RETRY_MS);
    this.#wake();
    const client = { sink, mayRead, isBehind: false };
    this.#clients.add(client);
    sink.write(`retry: ${RETRY_MS}\n\n`);
    for (const text of this.#missed(lastId)) sink.write(text);
    this.#heartbeat ??= this.#parts.clock.setTimeout(() => this.#beat(), HEARTBEAT_MS);
    return () => {
      this.#clients.delete(client);
      this.#awakeUntil = this.#parts.clock.now() + AWAKE_MS;
    };
  }

  /** Ends every stream: a server that closes waits for none. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const client of this.#clients) this.#end(client);
    this.#parts.clock.clearTimeout(this.#tick);
    this.#parts.clock.clearTimeout(this.#heartbeat);
  }

  get #isAwake(): boolean {
    return this.#clients.size > 0 || this.#parts.clock.now() < this.#awakeUntil;
  }

  #wake(): void {
    // What happened while nobody listened was not held.
    if (!this.#isAwake) this.#forget();
    this.#awakeUntil = this.#parts.clock.now() + AWAKE_MS;
  }

  #forget(): void {
    this.#messages = [];
    this.#heldChars = 0;
    this.#number += 1;
  }

  #flush(): void {
    this.#parts.clock.clearTimeout(this.#tick);
    this.#tick = undefined;
    const events = this.#pending;
    this.#pending = [];
    this.#changed.clear();
    const isWhole = events.length <= MAX_EVENTS;
    if (!isWhole) this.#forget();
    this.#number += 1;
    const text = isWhole ? this.#deltas(events) : this.#refetch();
    this.#hold(text);
    for (const client of this.#clients) this.#send(client, text);
  }

  #deltas(events: readonly LiveEvent[]): string {
    return `id: ${this.#idOf(this.#number)}\nevent: deltas\ndata: ${JSON.stringify(events)}\n\n`;
  }

  #refetch(): string {
    return `id: ${this.#idOf(this.#number)}\nevent: refetch\ndata: {}\n\n`;
  }

  #hold(text: string): void {
    this.#messages.push({ number: this.#number, text });
    this.#heldChars += text.length;
    while (this.#messages.length > MAX_MESSAGES || this.#heldChars > MAX_HELD_CHARS) {
      this.#heldChars -= this.#messages.shift()?.text.length ?? 0;
    }
  }

  /** What came after a message: a word to read all anew where it is not known any more. */
  #missed(lastId: string | undefined): string[] {
    if (lastId === undefined) return [];
    const [start, digits] = lastId.split('-');
    const last = Number(digits);
    const first = this.#messages[0]?.number ?? this.#number + 1;
    const isKnown = start === this.#start && last >= first - 1 && last <= this.#number;
    if (!isKnown) return [this.#refetch()];
    return this.#messages.filter(({ number }) => number > last).map(({ text }) => text);
  }

  #send(client: Client, text: string): void {
    const { sink } = client;
    if (client.isBehind && sink.waitingBytes > 0) return;
    if (sink.waitingBytes > MAX_WAITING_BYTES) client.isBehind = true;
    else if (client.isBehind) {
      client.isBehind = false;
      sink.write(this.#refetch());
    } else sink.write(text);
  }

  #beat(): void {
    this.#endRefused();
    for (const { sink, isBehind } of this.#clients) if (!isBehind) sink.write(':\n\n');
    this.#heartbeat =
      this.#clients.size > 0
        ? this.#parts.clock.setTimeout(() => this.#beat(), HEARTBEAT_MS)
        : undefined;
  }

  #endRefused(): void {
    for (const client of this.#clients) if (!client.mayRead()) this.#end(client);
  }

  #end(client: Client): void {
    this.#clients.delete(client);
    client.sink.end();
  }

  #idOf(number: number): string {
    return `${this.#start}-${number}`;
  }
}

type Watched = Pick<
  Configuration,
  | 'channels'
  | 'dashboards'
  | 'maintenanceWindows'
  | 'mutes'
  | 'snippets'
  | 'statusPages'
  | 'pageServices'
  | 'variables'
>;

/** What pages are told of each collection by. */
const WATCHED = {
  channels: 'alert-channels',
  dashboards: 'dashboards',
  maintenanceWindows: 'maintenance-windows',
  mutes: 'mutes',
  snippets: 'snippets',
  statusPages: 'status-pages',
  pageServices: 'status-page-services',
  variables: 'variables',
} as const satisfies { [K in keyof Watched]: WatchedKind };

/** Has pages told how check sessions go. */
export function tellSessions(
  sessions: Pick<CheckSessionsPort, 'listen'>,
  liveEvents: LiveEvents,
): void {
  sessions.listen({
    // One word for all of them: there may be thousands.
    triggered: ([first]) =>
      first && liveEvents.push({ kind: 'changed', what: 'check-sessions', id: first.id }),
    changed: (session) => liveEvents.push({ kind: 'session', session: summarizeSession(session) }),
  });
}

/** Has pages told of changes that are made of what is not a check, by whomever. */
export function tellChanges(
  {
    configuration,
    history,
  }: { configuration: Watched; history: Pick<History, 'watchIncidents' | 'watchAlerts'> },
  liveEvents: LiveEvents,
): void {
  for (const [name, what] of Object.entries(WATCHED)) {
    const collection: Pick<Collection<{ id: string }>, 'subscribe'> = configuration[
      name as keyof Watched
    ];
    collection.subscribe(({ record: { id } }) => liveEvents.push({ kind: 'changed', what, id }));
  }
  history.watchIncidents((incidents) => {
    for (const { id } of incidents) liveEvents.push({ kind: 'changed', what: 'incidents', id });
  });
  history.watchAlerts(() => liveEvents.push({ kind: 'changed', what: 'alerts', id: '' }));
}
