import { openHistory } from '#main/store/history/open-history.ts';
import { makeAlert, makeNotification } from '../alert-records.ts';
import { makeEvent, makeResult } from '../records.ts';
import { makeBatch, makeSession } from '../session-records.ts';

// Writes results with their alerts and notifications, events and open sessions of a check as fast as it
// can, and says the ids of what was kept.
const [folder = '', checkId = ''] = process.argv.slice(2);
const history = await openHistory(folder);
for (;;) {
  const createdAt = Date.now();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const entry = makeResult({ checkId, createdAt, slot: null });
      const resultId = entry.result.id;
      const event = makeEvent({ checkId, timestamp: createdAt });
      const session = makeSession({ checkId, createdAt });
      await history.write({
        results: [entry],
        alerts: [makeAlert({ checkId, createdAt, resultId })],
        notifications: [makeNotification({ checkId, createdAt, checkResultId: resultId })],
        heartbeatEvents: [event],
        sessions: [session],
        batches: [makeBatch([session], { id: session.id })],
        states: [{ checkId, state: { actor: { index }, status: null } }],
      });
      console.log(`${resultId} ${event.id} ${session.id}`);
    }),
  );
}
