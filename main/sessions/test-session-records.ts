import type { HistoryRecords } from '#main/store/history/history.ts';
import type { StoredTestSession, TestSessionResult } from '#shared/sessions/test-session.ts';

type TestRecords = Required<Pick<HistoryRecords, 'testSessions' | 'testResults'>>;

/** A test session whole, with all its results. */
export function wholeRecords({ results, ...head }: StoredTestSession): TestRecords {
  const testResults = results.map((result) => ({ sessionId: head.id, result }));
  return { testSessions: [head], testResults };
}

/**
 * What changed of test sessions since it was written last. A result costs the bytes of its own: a
 * session may have a thousand, and whole it would be written a thousand times.
 */
export class TestSessionChanges {
  /** Results are never changed, only replaced: one that was written is known by itself. */
  readonly #written = new WeakSet<TestSessionResult>();

  /** What is not written yet. While a session runs, only its results change. */
  of(session: StoredTestSession): TestRecords {
    const results = session.results.filter((result) => !this.#written.has(result));
    const { testSessions, testResults } = wholeRecords({ ...session, results });
    return { testSessions: session.status === 'RUNNING' ? [] : testSessions, testResults };
  }

  /** These are written, or whoever has them tries until they are. */
  written(results: readonly TestSessionResult[]): void {
    for (const result of results) this.#written.add(result);
  }
}
