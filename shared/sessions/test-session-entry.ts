import { z } from 'zod';
import { type ListedTestSession, TEST_SESSION_STATUSES } from './test-session.ts';
import type { TestMetadata } from './test-session-body.ts';

const instant = z.iso.datetime();
const resultIds = z.array(z.guid());

/** An entry of the list. */
const testSessionEntry = z.object({
  id: z.guid(),
  accountId: z.guid(),
  projectId: z.null(),
  name: z.string(),
  provider: z.literal('API'),
  errorGroupIds: z.array(z.string()),
  running: resultIds,
  passed: resultIds,
  failed: resultIds,
  cancelled: resultIds,
  status: z.enum(TEST_SESSION_STATUSES),
  region: z.string(),
  privateLocationId: z.null(),
  invoker: z.null(),
  repoUrl: z.string().nullable(),
  commitId: z.string().nullable(),
  commitOwner: z.string().nullable(),
  commitMessage: z.string().nullable(),
  branchName: z.string().nullable(),
  environment: z.string().nullable(),
  startedAt: instant,
  stoppedAt: instant.nullable(),
  created_at: instant,
  updated_at: instant.nullable(),
});

export const testSessionList = z.object({
  length: z.int(),
  entries: z.array(testSessionEntry),
  nextId: z.string().nullable(),
});

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

/** A test session in the list; `accountId` is that of the one account. */
export function viewTestEntry(stored: ListedTestSession, accountId: string) {
  const { id, name, runLocation, createdAt, stoppedAt, resultIds } = stored;
  const metadata: TestMetadata = stored.metadata;
  return {
    id,
    accountId,
    projectId: null,
    name,
    provider: 'API' as const,
    errorGroupIds: [...stored.errorGroupIds],
    running: [...resultIds.RUNNING],
    passed: [...resultIds.PASSED],
    failed: [...resultIds.FAILED],
    cancelled: [...resultIds.CANCELLED],
    status: stored.status,
    region: runLocation,
    privateLocationId: null,
    invoker: null,
    repoUrl: metadata.repoUrl ?? null,
    commitId: metadata.commitId ?? null,
    commitOwner: metadata.commitOwner ?? null,
    commitMessage: metadata.commitMessage ?? null,
    branchName: metadata.branchName ?? null,
    environment: metadata.environment ?? null,
    startedAt: iso(createdAt),
    stoppedAt: isoOrNull(stoppedAt),
    created_at: iso(createdAt),
    updated_at: isoOrNull(stoppedAt),
  };
}
