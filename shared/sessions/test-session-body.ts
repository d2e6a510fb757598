import { z } from 'zod';
import { checkRetryStrategy, environmentVariables } from '#shared/checks/blocks.ts';
import { retryProblems, withRules } from '#shared/checks/rules.ts';
import { orUnset } from '#shared/checks/unset.ts';
import { targetV2 } from './target.ts';

const text = z.string().max(2_000).nullish();

/** What a caller says of where the run comes from; kept as it came. */
export const testMetadata = z.object({
  environment: z.string().min(1).max(2_000).optional(),
  repoUrl: text,
  commitId: text,
  commitOwner: text,
  commitMessage: z.string().max(64_000).nullish(),
  branchName: text,
  github: z
    .object({
      reporting: z.boolean(),
      repository: text,
      sha: text,
      runId: text,
      runAttempt: text,
      workflow: text,
      job: text,
      eventName: text,
      ref: text,
      headRef: text,
      baseRef: text,
      serverUrl: text,
    })
    .optional(),
});
export type TestMetadata = z.output<typeof testMetadata>;

const target = targetV2.extend({ allowDeactivated: orUnset(z.boolean().default(false)) });

/** Body of `POST /v1/test-sessions/trigger`. */
const members = z.strictObject({
  name: z.string().min(1).max(500),
  runLocation: z.string().min(1).max(200),
  target: orUnset(target.prefault({})),
  environmentVariables: environmentVariables.prefault(null),
  retryStrategy: checkRetryStrategy.optional().meta({
    description: 'Replaces the strategy of each check; null: no retries.',
  }),
  refreshCache: orUnset(z.boolean().default(false)),
  metadata: orUnset(testMetadata.prefault({})),
});
export const testSessionBody = withRules(members, ({ retryStrategy }) =>
  retryProblems(retryStrategy),
);
