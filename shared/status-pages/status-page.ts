import { z } from 'zod';
import { list } from '#shared/checks/blocks.ts';
import { orNull, orUnset } from '#shared/checks/unset.ts';
import { nameOnOneLine } from './name.ts';
import { hostName, imageAddress, slug, themeColors, urlWord, webAddress } from './page-members.ts';

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

const cardBody = z.object({
  id: orUnset(z.guid().toLowerCase().optional(), '').meta({
    description: 'Of a card that the page has; left out: a new one.',
  }),
  name: nameOnOneLine,
  services: list(z.object({ id: z.guid().toLowerCase() }), MAX_CARD_SERVICES).default([]),
});

const image = orNull(imageAddress, '');
const fields = {
  name: nameOnOneLine,
  url: slug.meta({ description: 'The last part of its address: `/status/{url}`.' }),
  customDomain: orNull(hostName, ''),
  description: orNull(z.string().max(500), ''),
  logo: image,
  logoDark: image,
  favicon: image,
  redirectTo: orNull(webAddress, '').meta({ description: 'Where the logo leads.' }),
  defaultTheme: orUnset(z.enum(THEMES).optional(), ''),
  themeColors: themeColors.nullable(),
  version: orUnset(z.int().positive().optional(), 0).meta({
    description: 'Of the page that was read: 409 where it was changed since.',
  }),
  cards: list(cardBody, MAX_CARDS).meta({
    description: 'In their order. A card that is left out is removed.',
  }),
};

/** Body of `POST /v1/status-pages`. */
export const statusPageCreate = z.object({
  ...fields,
  customDomain: fields.customDomain.default(null),
  description: fields.description.default(null),
  logo: image.default(null),
  logoDark: image.default(null),
  favicon: image.default(null),
  redirectTo: fields.redirectTo.default(null),
  themeColors: fields.themeColors.default(null),
});
export type StatusPageBody = z.output<typeof statusPageCreate>;

/** Body of `PUT /v1/status-pages/{statusPageId}`: a member left out stays as it was. */
export const statusPageUpdate = z.object(fields).partial();
export type StatusPageChanges = z.output<typeof statusPageUpdate>;
export type CardBody = z.output<typeof cardBody>;

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
  id: z.guid(),
  name: z.string().min(1),
  // A word that comes to be reserved later does not make a page unreadable.
  url: urlWord,
  customDomain: hostName.nullable(),
  description: z.string().nullable(),
  logo: imageAddress.nullable(),
  logoDark: imageAddress.nullable(),
  favicon: imageAddress.nullable(),
  redirectTo: webAddress.nullable(),
  defaultTheme: z.enum(THEMES),
  themeColors: themeColors.nullable(),
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

/** Body of `PUT /app/status-pages/{statusPageId}/access`: members left out stay as they were. */
export const pageAccessBody = z.object({
  visibility: z.enum(VISIBILITIES).optional(),
  password: z
    .string()
    .min(8, { error: 'expected at least 8 characters' })
    .max(200)
    .optional()
    .meta({ description: 'Of a PRIVATE page; never answered.' }),
  whiteLabel: z.boolean().optional(),
});
export type PageAccessBody = z.output<typeof pageAccessBody>;

/** Who may read a page, as the API answers it. */
export const pageAccessView = z.object({
  visibility: z.enum(VISIBILITIES),
  hasPassword: z.boolean(),
  whiteLabel: z.boolean(),
});

export function viewPageAccess({ visibility, passwordHash, whiteLabel }: StatusPage) {
  return { visibility, hasPassword: passwordHash !== null, whiteLabel };
}
