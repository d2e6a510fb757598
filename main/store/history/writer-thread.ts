import { workerData } from 'node:worker_threads';
import type { StorageState } from '../storage-state.ts';
import { serve } from '../thread/serve.ts';
import { BackgroundWork } from './background-work.ts';
import type { WriterCalls } from './calls.ts';
import { openForWriting } from './database.ts';
import type { Retention } from './retention.ts';
import { sqliteStoreError } from './sqlite-error.ts';
import { StorageNotices } from './storage-notices.ts';
import { Writer } from './writer.ts';

/** What the thread is given at its start. */
export interface WriterData {
  folder: string;
  retention: Retention;
}

/** What it answers at its start: when the appliance was last known to be alive before it. */
export interface WriterOpened {
  lastAliveAt: number | null;
}

/** The thread of the history's one writer. */
await serve<WriterCalls, WriterOpened>(async (notify) => {
  const { folder, retention } = workerData as WriterData;
  const writer = new Writer(openForWriting(folder), retention);
  // Times come with the calls of the main thread, whose clock may be a simulated one.
  let now = 0;
  const backgroundWork = new BackgroundWork(
    {
      trim: () => writer.trim(),
      shrink: () => writer.shrink(),
      sweep: () => writer.sweep(now),
    },
    (task, error) => {
      const { code, message } = sqliteStoreError(error);
      notify('Old history could not be removed; it is tried again.', { task, code, message });
    },
  );
  const notices = new StorageNotices((message) => notify(message, {}));
  /** How the room and the clock stand, told to the log where that is news. */
  const lookAfter = (): StorageState => {
    if (writer.isTooLarge) backgroundWork.want('shrink');
    const state = writer.stateAt(now);
    notices.tell(state);
    return state;
  };
  return {
    value: { lastAliveAt: writer.aliveAt() },
    handlers: {
      write: (batch) => {
        const outcomes = writer.write(batch);
        if (writer.overBudget) backgroundWork.want('trim');
        return outcomes;
      },
      forget: (check) => {
        now = check.now;
        attempt(() => writer.forget(check.checkId, now));
        backgroundWork.want('sweep');
        return null;
      },
      stamp: (at) => {
        now = at;
        return attempt(() => {
          writer.stamp(now);
          return lookAfter();
        });
      },
      confirmClock: (at) => {
        now = at;
        return attempt(() => {
          writer.confirmClock(now);
          backgroundWork.want('sweep');
          return lookAfter();
        });
      },
      sweep: (at) => {
        now = at;
        backgroundWork.want('sweep');
        return null;
      },
      close: (at) => {
        backgroundWork.stop();
        attempt(() => writer.close(at));
        return null;
      },
    },
  };
});

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteStoreError(error);
  }
}
