import { appSummary } from '#shared/summaries/check-summary.ts';
import { KEY, operation } from '../operation.ts';

const tag = 'Appliance';

const summary = operation({
  id: 'readSummary',
  method: 'get',
  path: '/app/summary',
  tag,
  summary: 'Every check in a few words and numbers',
  description:
    'Where each stands, its last 40 runs in two characters each, and its last 24 hours. Shortly after the start these may still be missing; `/app/events` tells them.',
  access: KEY,
  internal: true,
  status: 200,
  response: appSummary,
  handle: async (_input, { checkSummaries }) => ({
    content: { pieces: await checkSummaries.pieces(), type: 'application/json; charset=utf-8' },
  }),
});

const events = operation({
  id: 'streamEvents',
  method: 'get',
  path: '/app/events',
  tag,
  summary: 'What happens, as it happens',
  description:
    'Server-sent events. `Last-Event-ID` is the id of the last message that was taken, or the `cursor` of a summary: what came after it is sent first, or `refetch` where it is not held any more.',
  access: KEY,
  internal: true,
  refusesHead: true,
  status: 200,
  response: null,
  mediaType: 'text/event-stream',
  failures: [429],
  handle: (input, { liveEvents, signIns, keys }) => {
    const lastId = input.header('last-event-id');
    const { signIn, key } = input;
    const mayRead = () =>
      signIn === undefined
        ? keys.all().some(({ id }) => id === key?.id)
        : signIns.isOpen(signIn.id);
    return { content: { stream: (sink) => liveEvents.open(sink, lastId, mayRead) } };
  },
});

export const liveOperations = [summary, events];
