import { pino } from 'pino';
import { sendNotice } from '#main/notifications/channels/senders.ts';
import { Outbox } from '#main/notifications/outbox.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { openHistory } from '#main/store/history/open-history.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { MemoryCollection } from '../../../fixtures/memory-configuration.ts';
import { makeChannel } from '../../../fixtures/notification-contents.ts';
import { testPorts } from '../../../fixtures/send-ports.ts';

// Sends what a folder's history has as owed to the webhook at a URL, until it is told to end or killed.
const [folder = '', url = ''] = process.argv.slice(2);
const history = await openHistory(folder);
const channels = new MemoryCollection<AlertChannel>();
await channels.put(makeChannel('WEBHOOK', { name: 'hook', url }, { id: '1' }));
const desk = new Outbox({
  isNetworkDown: () => false,
  history,
  channels,
  limits: { stormAlerts: 0, messagesPerMinute: 1_000 },
  clock: systemClock,
  log: pino({ level: 'silent' }),
  send: (channel, notice) => sendNotice(channel, notice, testPorts()),
});
const isEnded = new Promise<void>((resolve) => process.once('SIGTERM', () => resolve()));
await desk.start();
await isEnded;
await desk.stop();
await history.close();
