import type { z } from 'zod';
import type { signInView } from '#shared/sign-ins/sign-in.ts';
import type { AppSummary } from '#shared/summaries/check-summary.ts';

/**
 * Every operation that the interface calls, with the types of the schemas that the appliance parses and
 * answers by. A new one is a new line. Only types: no schema is loaded for them.
 */
export interface Endpoints {
  'GET /app/sign-ins': { answer: z.output<typeof signInView>[] };
  'DELETE /app/sign-ins/{id}': { params: 'id'; answer: null };
  'DELETE /app/sign-ins': { answer: null };
  'GET /app/summary': { answer: AppSummary };
}
