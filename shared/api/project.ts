import { z } from 'zod';

/** What answers say of projects: nobody deploys anything from one. */
export const projectBindings = z.object({ owner: z.null(), references: z.array(z.never()) });
export const NO_PROJECT: z.output<typeof projectBindings> = { owner: null, references: [] };
