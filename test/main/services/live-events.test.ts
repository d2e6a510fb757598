import { beforeEach, describe, expect, test } from 'vitest';
import { type EventSink, LiveEvents, tellChanges } from '#main/services/live-events.ts';
import type { LiveEvent } from '#shared/summaries/live-event.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { makeAlert, makeNotification } from '../store/alert-records.ts';

let clock: SimulatedClock;
let configuration: MemoryConfiguration;
let live: LiveEvents;
beforeEach(() => {
  clock = new SimulatedClock();
  configuration = new MemoryConfiguration();
  live = new LiveEvents({ clock, configuration });
});

class Sink implements EventSink {
  texts: string[] = [];
  waitingBytes = 0;
  isEnded = false;

  write(text: string): void {
    this.texts.push(text);
  }

  end(): void {
    this.isEnded = true;
  }

  /** What the messages hold; `refetch` for a word of a loss. */
  get told(): (LiveEvent[] | 'refetch')[] {
    return this.texts
      .filter((text) => text.startsWith('id:'))
      .map((text) => {
        const [, event, data] = text.split('\n');
        return event === 'event: refetch' ? 'refetch' : JSON.parse(data?.slice(6) ?? '');
      });
  }

  get lastId(): string {
    return (
      this.texts
        .findLast((text) => text.startsWith('id:'))
        ?.split('\n')[0]
        ?.slice(4) ?? ''
    );
  }
}

const gone = (id: string): LiveEvent => ({ kind: 'check-gone', id });
const always = () => true;

async function pushAndSend(...ids: string[]): Promise<void> {
  for (const id of ids) live.push(gone(id));
  await clock.advance(500);
}

describe('a stream', () => {
  test('gets what happens within half a second in one message', async () => {
    const sink = new Sink();
    live.open(sink, undefined, always);
    await pushAndSend('a', 'b');
    await pushAndSend('c');
    expect(sink.told).toEqual([[gone('a'), gone('b')], [gone('c')]]);
  });

  test('gets nothing after its end', async () => {
    const sink = new Sink();
    live.open(sink, undefined, always)();
    await pushAndSend('a');
    expect(sink.told).toEqual([]);
  });

  test('that comes back gets what it missed, and nothing twice', async () => {
    const first = new Sink();
    const stop = live.open(first, undefined, always);
    await pushAndSend('a');
    stop();
    await pushAndSend('b');
    const second = new Sink();
    live.open(second, first.lastId, always);
    await pushAndSend('c');
    expect(second.told).toEqual([[gone('b')], [gone('c')]]);
  });

  test('that is opened at a cursor gets all that came after it', async () => {
    const cursor = live.cursor();
    await pushAndSend('a');
    const sink = new Sink();
    live.open(sink, cursor, always);
    expect(sink.told).toEqual([[gone('a')]]);
  });

  test.each(['', 'x', '00000000-1', '-1', 'NaN'])(
    'that comes with an id of another start (%j) reads anew',
    (id) => {
      const sink = new Sink();
      live.open(sink, id, always);
      expect(sink.told).toEqual(['refetch']);
    },
  );

  test('that comes back after everybody was away reads anew', async () => {
    const sink = new Sink();
    live.open(sink, undefined, always)();
    const cursor = live.cursor();
    await clock.advance(61_000);
    live.push(gone('a'));
    const later = new Sink();
    live.open(later, cursor, always);
    expect(later.told).toEqual(['refetch']);
  });

  test('that comes back after too many messages reads anew', async () => {
    const cursor = live.cursor();
    live.open(new Sink(), undefined, always);
    for (let count = 0; count < 401; count++) await pushAndSend(String(count));
    const sink = new Sink();
    live.open(sink, cursor, always);
    expect(sink.told).toEqual(['refetch']);
  });

  test('that takes too little is told to read anew once it has taken all, and then goes on', async () => {
    const [slow, quick] = [new Sink(), new Sink()];
    live.open(slow, undefined, always);
    live.open(quick, undefined, always);
    slow.waitingBytes = 600_000;
    await pushAndSend('a');
    slow.waitingBytes = 1;
    await pushAndSend('b');
    expect(slow.told).toEqual([]);
    slow.waitingBytes = 0;
    await pushAndSend('c');
    await pushAndSend('d');
    expect(slow.told).toEqual(['refetch', [gone('d')]]);
    expect(quick.told).toHaveLength(4);
  });

  test('is told to read anew where more happened than one message holds', async () => {
    const sink = new Sink();
    live.open(sink, undefined, always);
    await pushAndSend(...Array.from({ length: 2_001 }, (_, index) => String(index)));
    expect(sink.told).toEqual(['refetch']);
  });

  test('gets a word every 15 seconds, so that nobody in between closes it', async () => {
    const sink = new Sink();
    live.open(sink, undefined, always);
    await clock.advance(45_000);
    expect(sink.texts.filter((text) => text === ':\n\n')).toHaveLength(3);
  });

  test('ends at once with the key or the sign-in that it was opened by', async () => {
    let isOpen = true;
    const [sink, other] = [new Sink(), new Sink()];
    live.open(sink, undefined, () => isOpen);
    live.open(other, undefined, always);
    isOpen = false;
    await configuration.keys.delete('nobody');
    const key = { id: 'k', name: 'k', hash: '0'.repeat(64), prefix: 'k', created_at: '' };
    await configuration.keys.put(key);
    expect([sink.isEnded, other.isEnded]).toEqual([true, false]);
  });

  test('ends when the appliance stops', () => {
    const sink = new Sink();
    live.open(sink, undefined, always);
    live.close();
    expect(sink.isEnded).toBe(true);
  });

  test('is refused beyond 200', () => {
    for (let count = 0; count < 200; count++) live.open(new Sink(), undefined, always);
    expect(() => live.open(new Sink(), undefined, always)).toThrow('Too many pages are open');
  });
});

test('changes of other collections are told by their kind and id', async () => {
  const history = new MemoryHistory();
  tellChanges({ configuration, history }, live);
  const sink = new Sink();
  live.open(sink, undefined, always);
  await configuration.variables.put({ id: 'v', key: 'V', value: '', locked: false, secret: false });
  await configuration.variables.delete('v');
  await clock.advance(500);
  const told = { kind: 'changed', what: 'variables', id: 'v' };
  expect(sink.told).toEqual([[told]]);
  await configuration.snippets.delete('v');
  await configuration.variables.put({ id: 'v', key: 'V', value: '', locked: false, secret: false });
  await clock.advance(500);
  expect(sink.told).toEqual([[told], [told]]);
});

test('alerts and what became of them are told once, however many there are', async () => {
  const history = new MemoryHistory();
  tellChanges({ configuration, history }, live);
  const sink = new Sink();
  live.open(sink, undefined, always);
  for (let count = 0; count < 3; count++) {
    await history.write({ alerts: [makeAlert()], notifications: [makeNotification()] });
  }
  await clock.advance(500);
  expect(sink.told).toEqual([[{ kind: 'changed', what: 'alerts', id: '' }]]);
});
