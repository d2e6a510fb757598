import type { CollectionName } from './collections.ts';

/** A record of any collection, as it passes between the threads. */
export type AnyRecord = { id: string };

/** One change that somebody asked for. */
export type ChangeRequest = { put: AnyRecord } | { delete: string };

/** What the thread that writes the configuration can be asked. */
export type CollectionWriterCalls = {
  /** Answers, once it is kept, whether anything changed: false where there was nothing to delete. */
  change: { takes: { collection: CollectionName; change: ChangeRequest }; answers: boolean };
  /** Answers at once: whether the thread is there. */
  probe: { takes: null; answers: null };
  /** Answers once nothing is being written. */
  settle: { takes: null; answers: null };
};

/** A collection at the start: its records, and how many others could not be read. */
export interface OpenedCollection {
  records: readonly AnyRecord[];
  unreadable: number;
}

/** What the thread answers at its start. */
export type OpenedCollections = Record<CollectionName, OpenedCollection>;
