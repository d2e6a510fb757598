import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openForWriting } from '#main/store/history/database.ts';
import { DEFAULT_RETENTION } from '#main/store/history/retention.ts';
import { Writer } from '#main/store/history/writer.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../fixtures/checks.ts';

const TYPES = ['API', 'URL', 'TCP', 'DNS'] as const;
const DAILY = 24 * 60;

/** Checks of several types that run once a day. */
export function dailyChecks(count: number): RunnableCheck[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, n) => {
    const type = TYPES[n % TYPES.length] ?? 'API';
    const name = `check ${n} of a bench`;
    return makeCheck(type, { name, frequency: DAILY, createdAt: now }) as RunnableCheck;
  });
}

/**
 * Writes checks into a data folder that nobody has open, and where each stands: its last run was a good one.
 * @param lastSlot up to when all slots ran, epoch ms
 */
export async function fillFolder(
  dataDir: string,
  checks: readonly RunnableCheck[],
  lastSlot: number,
): Promise<void> {
  // Laid out as the appliance does it, which reads another layout more slowly.
  const text = JSON.stringify({ version: 1, records: checks }, null, 2);
  await writeFile(join(dataDir, 'checks.json'), `${text}\n`);
  const writer = new Writer(openForWriting(dataDir), DEFAULT_RETENTION);
  writer.write([{ states: checks.map((check) => stateOf(check, lastSlot)) }]);
  writer.close(Date.now());
}

function stateOf(check: RunnableCheck, lastSlot: number) {
  const at = new Date(lastSlot).toISOString();
  return {
    checkId: check.id,
    state: {
      actor: {
        lastSlot,
        newestSlot: lastSlot,
        schedule: scheduleOf(check),
        lastLocation: 'eu-west-1',
      },
      status: {
        ...{ hasFailures: false, hasErrors: false, isDegraded: false },
        ...{ longestRun: 123, shortestRun: 45, lastRun: 67, lastRunLocation: 'eu-west-1' },
        ...{ lastCheckRunId: '123456789', sslDaysRemaining: null, certificate: null },
        ...{ created_at: at, updated_at: at },
      },
    },
  };
}
