import { expect, test } from 'vitest';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { RecordingLog } from '../recording-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const open = (folder: string) => openConfiguration(folder, { log: new RecordingLog() });

test('an account keeps its default of retries: none set, none at all, or a strategy', async () => {
  const folder = temporaryFolder();
  const account = { id: 'a', name: 'A', runtimeId: '2025.04', created_at: '2026-01-01T00:00:00Z' };
  const before = await open(folder);
  await before.account.put({ ...account, retryStrategy: null });
  await before.account.put({ ...account, id: 'b' });
  const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 5, sameRegion: true } as const;
  await before.account.put({ ...account, id: 'c', retryStrategy });
  await before.close();
  const { account: accounts, close } = await open(folder);
  expect(accounts.get('a')?.retryStrategy).toBeNull();
  expect(accounts.get('b')?.retryStrategy).toBeUndefined();
  expect(accounts.get('c')?.retryStrategy).toEqual(retryStrategy);
  await close();
});
