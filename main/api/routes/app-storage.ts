import type { StorageReport } from '#main/services/storage.ts';
import { storageView } from '#shared/self-monitoring/storage-view.ts';
import { KEY, operation } from '../operation.ts';

const readStorage = operation({
  id: 'readStorage',
  method: 'get',
  path: '/app/storage',
  tag: 'Appliance',
  summary: 'Read how much space the history uses, and whether its clock is trusted',
  access: KEY,
  internal: true,
  status: 200,
  response: storageView,
  handle: async (_input, { storage }) => ({ content: { json: view(await storage.read()) } }),
});

const confirmClock = operation({
  id: 'confirmClock',
  method: 'post',
  path: '/app/storage/confirm-clock',
  tag: 'Appliance',
  summary: 'Confirm the clock, so that old history is removed by its age again',
  description:
    'After a clock jumped far ahead nothing is removed for its age, for a wrong clock would remove all. Look at the clock of the machine first.',
  access: KEY,
  internal: true,
  status: 200,
  response: storageView,
  handle: async (_input, { storage }) => ({
    content: { json: view(await storage.confirmClock()) },
  }),
});

function view({ usedBytes, budgetBytes, doubt, warnings, kinds }: StorageReport) {
  return {
    usedBytes,
    budgetBytes,
    isClockBelieved: doubt === null,
    warnings,
    kinds: kinds.map(({ oldestAt, ...kind }) => ({
      ...kind,
      oldestAt: oldestAt === null ? null : new Date(oldestAt).toISOString(),
    })),
  };
}

export const storageOperations = [readStorage, confirmClock];
