import { z } from 'zod';
import { NO_PROJECT, projectBindings } from '#shared/api/project.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { incidentView, viewIncident } from './incident-view.ts';
import { themeColors } from './page-members.ts';
import { type PageService, pageServiceView, viewPageService } from './page-service.ts';
import { type StatusPage, THEMES } from './status-page.ts';

/** Most incidents that the API answers with a page. */
export const MAX_PAGE_INCIDENTS = 20;

const cardView = z.object({
  id: z.guid(),
  name: z.string(),
  services: z.array(pageServiceView),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});

/** A status page as the API answers it (2.11). */
export const statusPageView = z.object({
  id: z.guid(),
  name: z.string(),
  url: z.string(),
  customDomain: z.string().nullable(),
  description: z.string().nullable(),
  logo: z.string().nullable(),
  logoDark: z.string().nullable(),
  favicon: z.string().nullable(),
  redirectTo: z.string().nullable(),
  defaultTheme: z.enum(THEMES),
  themeColors: themeColors.nullable(),
  version: z.int(),
  cards: z.array(cardView),
  isPrivate: z.boolean(),
  whiteLabel: z.boolean(),
  keys: z.array(z.never()).meta({ description: 'Always empty: private pages have a password.' }),
  accountId: z.guid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
  incidents: z
    .array(incidentView)
    .meta({ description: 'Of its services, of the last 90 days, newest first; at most 20.' }),
  projectBindings,
});

/** A page with what it shows. */
export interface ShownPage {
  page: StatusPage;
  /** Those on its cards, by id. */
  services: ReadonlyMap<string, PageService>;
  incidents: readonly StoredIncident[];
}

/** @param at the account, and now as epoch ms */
export function viewStatusPage(
  { page, services, incidents }: ShownPage,
  at: { accountId: string; now: number },
): z.output<typeof statusPageView> {
  const { id, name, url, customDomain, description, logo, logoDark, favicon, redirectTo } = page;
  const { defaultTheme, themeColors, version, visibility, whiteLabel } = page;
  const { created_at, updated_at } = page;
  return {
    ...{ id, name, url, customDomain, description, logo, logoDark, favicon, redirectTo },
    ...{ defaultTheme, themeColors, version },
    cards: page.cards.map((card) => ({
      id: card.id,
      name: card.name,
      services: card.serviceIds.flatMap((serviceId) => {
        const service = services.get(serviceId);
        return service === undefined ? [] : [viewPageService(service, at.accountId)];
      }),
      created_at: card.created_at,
      updated_at: card.updated_at,
    })),
    isPrivate: visibility === 'PRIVATE',
    whiteLabel,
    keys: [],
    accountId: at.accountId,
    ...{ created_at, updated_at },
    incidents: incidents.map((incident) => viewIncident(incident, at)),
    projectBindings: NO_PROJECT,
  };
}
