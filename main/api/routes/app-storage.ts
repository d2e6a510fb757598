import { z } from 'zod';
import { type StorageState, storageWarnings } from '#main/store/storage-state.ts';
import { KEY, operation } from '../operation.ts';

const storage = z.object({
  /** What the history takes and may take, in bytes. */
  usedBytes: z.number(),
  budgetBytes: z.number(),
  /** False while nothing is removed for its age. */
  isClockBelieved: z.boolean(),
  warnings: z.array(z.string()),
});

export const readStorage = operation({
  id: 'readStorage',
  method: 'get',
  path: '/app/storage',
  tag: 'Appliance',
  summary: 'Read how the room and the clock of the history stand',
  access: KEY,
  internal: true,
  status: 200,
  response: storage,
  handle: async (_input, { history }) => ({ content: { json: view(await history.probe()) } }),
});

export const confirmClock = operation({
  id: 'confirmClock',
  method: 'post',
  path: '/app/storage/confirm-clock',
  tag: 'Appliance',
  summary: 'Say that the clock is right, so that old history is removed by it',
  description:
    'After a clock jumped far ahead nothing is removed for its age, for a wrong clock would remove all. Look at the clock of the machine first.',
  access: KEY,
  internal: true,
  status: 200,
  response: storage,
  handle: async (_input, { history }) => ({
    content: { json: view(await history.confirmClock()) },
  }),
});

function view(state: StorageState): z.output<typeof storage> {
  const { usedBytes, budgetBytes, doubt } = state;
  return {
    usedBytes,
    budgetBytes,
    isClockBelieved: doubt === null,
    warnings: storageWarnings(state),
  };
}
