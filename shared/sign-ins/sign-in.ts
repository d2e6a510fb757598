import { z } from 'zod';

/** A browser that may use the interface, until it signs out or 30 days pass without use. */
export interface SignIn {
  /** UUID. */
  id: string;
  /** Lower-case hex SHA-256 of what the browser's cookie holds. */
  hash: string;
  /** The API key that it was begun with, which ends it; null: the operator's link. */
  key_id: string | null;
  /** How the browser names itself. */
  browser: string;
  created_at: string;
  /** The last day that it was used, give or take an hour. */
  used_at: string;
}

export const storedSignIn = z.looseObject({
  id: z.string().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits'),
  key_id: z.string().nullable(),
  browser: z.string(),
  created_at: z.iso.datetime(),
  used_at: z.iso.datetime(),
}) satisfies z.ZodType<SignIn>;

const MAX_SECRET = 300;

/** What signs a browser in: an API key, or the token of a link, which works once. */
export const signInBody = z.union(
  [
    z.strictObject({ key: z.string().min(1).max(MAX_SECRET) }),
    z.strictObject({ token: z.string().min(1).max(MAX_SECRET) }),
  ],
  { error: 'expected either a key or a token' },
);

/** A sign-in as the interface lists it. */
export const signInView = z.object({
  id: z.uuid(),
  /** The name of its API key; null: the operator's link. */
  keyName: z.string().nullable(),
  browser: z.string(),
  created_at: z.iso.datetime(),
  used_at: z.iso.datetime(),
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
});
export type SignInView = z.output<typeof signInView>;

/** What a page needs to call the API: it holds the token in its memory only. */
export const access = z.object({
  /** For the header `Authorization: Bearer …`. */
  accessToken: z.string(),
  /** How long it holds; a new one is asked for before. */
  expiresInSeconds: z.int(),
  signIn: signInView,
  /** Of the appliance. */
  version: z.string(),
  accountId: z.guid(),
  accountName: z.string(),
});
export type Access = z.output<typeof access>;

/** The operator's link. */
export const signInLink = z.object({
  token: z.string(),
  /** What to append to the address of the appliance. */
  path: z.string(),
  expiresInSeconds: z.int(),
});
