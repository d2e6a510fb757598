import { z } from 'zod';

/** What a check is for, in words: kept and returned for the clients that compare it. */

const MAX_ITEMS = 20;
const statement = z.string().min(1).max(1_000);
const statements = z.array(statement).max(MAX_ITEMS).default([]);

/** As v1 and v2 have it, and as it is kept. */
export const checkIntent = z.object({
  goal: z.string().min(1).max(2_000),
  requiredOutcomes: statements,
  mustPreserve: statements,
});
type CheckIntent = z.output<typeof checkIntent>;

/** As v3 answers it: both lists in one. */
export const checkIntentV3 = z.object({
  goal: checkIntent.shape.goal,
  constraints: z
    .array(z.object({ type: z.enum(['REQUIRED_OUTCOME', 'MUST_PRESERVE']), statement }))
    .max(2 * MAX_ITEMS),
});

export function viewIntentV3(intent: CheckIntent): z.output<typeof checkIntentV3> {
  const { goal, requiredOutcomes, mustPreserve } = intent;
  const outcomes = requiredOutcomes.map((one) => ({
    type: 'REQUIRED_OUTCOME' as const,
    statement: one,
  }));
  const preserved = mustPreserve.map((one) => ({ type: 'MUST_PRESERVE' as const, statement: one }));
  return { goal, constraints: [...outcomes, ...preserved] };
}
