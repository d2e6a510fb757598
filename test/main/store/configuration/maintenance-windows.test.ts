import { expect, test } from 'vitest';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { type MaintenanceWindow, windowCreate } from '#shared/maintenance/window.ts';
import { RecordingLog } from '../recording-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const log = new RecordingLog();

test('a maintenance window comes back as it was, its dates to the letter', async () => {
  const folder = temporaryFolder();
  const body = windowCreate.parse({
    name: 'Release',
    startsAt: '2026-03-29T02:30',
    endsAt: '2026-03-29T06:00:00+02:00',
    repeatUnit: 'MONTH',
    repeatInterval: 3,
    repeatEndsAt: '2027-01-01',
    timezone: 'Europe/Berlin',
    statusPageVisibility: { enabled: true, autoStart: false },
  });
  const created_at = '2026-01-15T12:00:00.000Z';
  const change = {
    plannedAt: '2026-06-29T00:30:00.000Z',
    startsAt: '2026-06-29T03:00',
    endsAt: '2026-06-29T06:00',
    isDeleted: false,
    updates: [],
    updated_at: created_at,
  };
  const window: MaintenanceWindow = {
    id: '1',
    ...body,
    changes: [change],
    created_at,
    updated_at: null,
  };
  const first = await openConfiguration(folder, { log });
  await first.maintenanceWindows.put(window);
  await first.close();
  const again = await openConfiguration(folder, { log });
  expect(again.maintenanceWindows.all()).toEqual([window]);
  await again.close();
});
