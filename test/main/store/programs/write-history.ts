import { openHistory } from '#main/store/sqlite/open-history.ts';
import { makeEvent, makeResult } from '../facts.ts';

// Writes results and events of a check as fast as it can, and says the ids of what was kept.
const [folder = '', checkId = ''] = process.argv.slice(2);
const history = await openHistory(folder);
for (;;) {
  const createdAt = Date.now();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const entry = makeResult({ checkId, createdAt, slot: null });
      const event = makeEvent({ checkId, timestamp: createdAt });
      await history.write({
        results: [entry],
        heartbeatEvents: [event],
        states: [{ checkId, state: { actor: { index }, status: null } }],
      });
      console.log(`${entry.result.id} ${event.id}`);
    }),
  );
}
