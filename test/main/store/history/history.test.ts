import { openHistory } from '#main/store/history/open-history.ts';
import { MemoryHistory } from '../../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { alertsContract } from '../alerts-contract.ts';
import { analyticsContract } from '../analytics-contract.ts';
import { artifactsContract } from '../artifacts-contract.ts';
import { errorGroupsContract } from '../error-groups-contract.ts';
import { historyContract } from '../history-contract.ts';
import { incidentsContract } from '../incidents-contract.ts';
import { RecordingLog } from '../recording-log.ts';
import { NOON } from '../records.ts';
import { sessionsContract } from '../sessions-contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';

for (const contract of [
  historyContract,
  alertsContract,
  sessionsContract,
  incidentsContract,
  errorGroupsContract,
  analyticsContract,
  artifactsContract,
]) {
  contract('history in memory', async () => new MemoryHistory());
  // Its clock stands where the facts are: by ours they would be too old to keep.
  contract('history in SQLite', () =>
    openHistory(temporaryFolder(), { clock: new SimulatedClock(NOON), log: new RecordingLog() }),
  );
}
