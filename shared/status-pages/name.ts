import { z } from 'zod';

/** A name that people read: of a page, a card, a service or an incident. */
export const nameOnOneLine = z
  .string()
  .min(1, { abort: true })
  .max(255)
  .regex(/^\P{Cc}*$/u, { error: 'expected a name without control characters' })
  .regex(/\S/, { error: 'expected a name that is not only spaces' });
