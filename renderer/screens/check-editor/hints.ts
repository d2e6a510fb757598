import type { Members } from '#renderer/parts/form/members.ts';
import { type Problem, parseInput } from '#shared/api/problems.ts';
import { createSchema } from '#shared/checks/check.ts';
import type { CheckType } from '#shared/checks/enums.ts';

const schemas = new Map<CheckType, ReturnType<typeof createSchema>>();

/** What the API would say of a check, as far as its schema knows. */
export function hintsOf(type: CheckType, body: Members): readonly Problem[] {
  const schema = schemas.get(type) ?? createSchema(type);
  schemas.set(type, schema);
  const parsed = parseInput(schema, body, 'body');
  return parsed.ok ? [] : parsed.problems;
}
