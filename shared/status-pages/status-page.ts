import { z } from 'zod';
import { list } from '#shared/checks/blocks.ts';
import { orUnset } from '#shared/checks/unset.ts';
import { nameOnOneLine } from './name.ts';
import { hostName, imageAddress, slug, themeColors, webAddress } from './page-members.ts';

/** Bounds of ours. */
export const MAX_STATUS_PAGES = 100;
export const MAX_CARDS = 100;
export const MAX_CARD_SERVICES = 200;

export const THEMES = ['AUTO', 'LIGHT', 'DARK'] as const;

/**
 * Who may read a page: everybody; everybody who knows its address (no list names it, no search engine
 * is to); or who knows its password.
 */
export const VISIBILITIES = ['PUBLIC', 'UNLISTED', 'PRIVATE'] as const;

const text = <T extends z.ZodType>(schema: T) => orUnset(schema.nullable().default(null), '');

/** Body of `POST` and `PUT /v1/status-pages`. */
export const statusPageBody = z.object({
  name: nameOnOneLine,
  url: slug,
  customDomain: text(hostName),
  description: text(z.string().max(500)),
  logo: text(imageAddress),
  logoDark: text(imageAddress),
  favicon: text(imageAddress),
  redirectTo: text(webAddress),
  defaultTheme: orUnset(z.enum(THEMES).default('AUTO'), ''),
  themeColors: text(themeColors),
  /** Where it is not that of the page as it is stored, somebody else changed it meanwhile. */
  version: orUnset(z.int().min(0).nullable().default(null)),
  cards: list(
    z.object({
      id: orUnset(z.guid().optional(), ''),
      name: nameOnOneLine,
      services: list(z.object({ id: z.guid() }), MAX_CARD_SERVICES).default([]),
    }),
    MAX_CARDS,
  ),
});
export type StatusPageBody = z.output<typeof statusPageBody>;

const card = z.looseObject({
  id: z.guid(),
  name: z.string().min(1),
  serviceIds: z.array(z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});
export type StatusPageCard = z.output<typeof card>;

/** A status page as it is stored. */
export const storedStatusPage = z.looseObject({
  ...statusPageBody.shape,
  id: z.guid(),
  /** Counts the changes from 1. */
  version: z.int().positive(),
  cards: z.array(card),
  visibility: z.enum(VISIBILITIES),
  /** Of a private page: its salted hash; null: nobody can read it. */
  passwordHash: z.string().nullable(),
  /** Whether the page leaves out who made it. */
  whiteLabel: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});
export type StatusPage = z.output<typeof storedStatusPage>;
