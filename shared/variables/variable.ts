import { z } from 'zod';

/** What the keys and values of an account's variables may hold together: every script gets them. */
export const MAX_VARIABLES = 1_000;
export const MAX_VARIABLES_LENGTH = 256 * 1024;
const MAX_KEY = 255;
const MAX_VALUE = 64_000;

export const variableKey = z
  .string()
  .min(1)
  .max(MAX_KEY)
  .regex(/^\P{Cc}*$/u, { error: 'expected a key without control characters' })
  // Clients take these out of a path, so nobody could read or delete the variable.
  .regex(/^(?!\.\.?$)/, { error: 'expected a key other than "." and ".."' });

/** Body of `POST /v1/variables`. */
export const variableCreate = z.object({
  key: variableKey,
  value: z.string().max(MAX_VALUE),
  locked: z.boolean().default(false).meta({ description: 'Whether results hide the value.' }),
  secret: z.boolean().default(false).meta({ description: 'Whether the value is never read.' }),
});

/**
 * Body of `PUT /v1/variables/{key}`: a `key` renames. As in every update, members left out stay as
 * they were.
 */
export const variableUpdate = z.object({
  key: variableKey.optional(),
  value: z.string().min(1).max(MAX_VALUE),
  locked: z.boolean().optional(),
  secret: z
    .boolean()
    .optional()
    .meta({ description: 'A secret variable stays secret, whatever is sent.' }),
});

/** A variable as it is read; the value of a secret is null. */
export const variableView = z.object({
  key: z.string(),
  value: z.string().nullable(),
  locked: z.boolean(),
  secret: z.boolean(),
});

/** A variable as a write answers it, where the value is a string: that of a secret is empty. */
export const variableMutationView = variableView.extend({ value: z.string() });

/** A variable of the account, in plain text. */
export interface Variable {
  /** UUID: the key may change. */
  id: string;
  key: string;
  value: string;
  /** Its value stands in no result and no log. */
  locked: boolean;
  /** The same, and the API never answers it. */
  secret: boolean;
}

export function viewVariable({ key, value, locked, secret }: Variable) {
  return { key, value: secret ? null : value, locked, secret };
}

export function viewVariableMutation({ key, value, locked, secret }: Variable) {
  return { key, value: secret ? '' : value, locked, secret };
}

/** A variable of the account or of a check, in plain text. */
export interface RunVariable {
  key: string;
  /** Null where a secret was never given a value. */
  value: string | null;
  locked: boolean;
  secret: boolean;
}
