import { z } from 'zod';
import { NO_PROJECT, projectBindings } from '#shared/api/project.ts';
import { list } from '#shared/checks/blocks.ts';
import { orNull, orUnset } from '#shared/checks/unset.ts';
import { nameOnOneLine } from '#shared/status-pages/name.ts';
import { hostName, urlWord, webAddress } from '#shared/status-pages/page-members.ts';

/** Bounds of ours. */
export const MAX_DASHBOARDS = 500;
const MAX_CSS = 65_536;
const MAX_SECONDS = 86_400;

export const WIDTHS = ['FULL', '960PX'] as const;
const seconds = z.int().min(0).max(MAX_SECONDS);
const address = orNull(webAddress, '');

const fields = {
  customUrl: orNull(urlWord, '').meta({
    description: 'The board answers at `/dashboards/{customUrl}`; null: nowhere.',
  }),
  customDomain: orNull(hostName, ''),
  logo: address,
  favicon: address,
  link: address.meta({ description: 'Where the logo leads.' }),
  header: nameOnOneLine,
  description: z.string().max(2_000).nullable(),
  width: z.enum(WIDTHS),
  refreshRate: seconds.meta({
    description: 'Seconds after which the board is loaded again; 0: never.',
  }),
  paginate: z.boolean().meta({ description: 'Whether the board shows `checksPerPage` at a time.' }),
  paginationRate: seconds.meta({ description: 'Kept and returned; means nothing.' }),
  sortByStatus: z.boolean().meta({ description: 'Whether the worst come first.' }),
  checksPerPage: orNull(z.int().min(1).max(20), 0),
  useTagsAndOperator: z.boolean().nullable().meta({
    description: 'Whether a check needs all of the tags instead of one of them.',
  }),
  hideTags: z.boolean(),
  enableIncidents: z.boolean(),
  expandChecks: z.boolean().meta({ description: 'Kept and returned; means nothing.' }),
  tags: list(z.string().min(1).max(500)).meta({
    description:
      'Checks with one of these, own or of their group, are shown; without any, all are.',
  }),
  showHeader: z.boolean(),
  showCheckRunLinks: z.boolean().meta({ description: 'Kept and returned; means nothing.' }),
  showGroupNames: z.boolean(),
  customCSS: z.string().max(MAX_CSS).nullable().meta({
    description: 'Kept and returned; never served.',
  }),
  isPrivate: z.boolean().meta({ description: 'Whether the board answers to nobody.' }),
  showP95: z.boolean(),
  showP99: z.boolean(),
};

/** Body of `POST /v1/dashboards`. */
export const dashboardCreate = z.object({
  ...fields,
  customUrl: fields.customUrl.default(null),
  customDomain: fields.customDomain.default(null),
  logo: fields.logo.default(null),
  favicon: fields.favicon.default(null),
  link: fields.link.default(null),
  description: fields.description.default(null),
  width: orUnset(fields.width.default('FULL'), ''),
  refreshRate: fields.refreshRate.default(60),
  paginate: fields.paginate.default(true),
  paginationRate: fields.paginationRate.default(60),
  sortByStatus: fields.sortByStatus.default(false),
  checksPerPage: fields.checksPerPage.default(15),
  useTagsAndOperator: fields.useTagsAndOperator.default(false),
  hideTags: fields.hideTags.default(false),
  enableIncidents: fields.enableIncidents.default(false),
  expandChecks: fields.expandChecks.default(false),
  tags: fields.tags.default([]),
  showHeader: fields.showHeader.default(true),
  showCheckRunLinks: fields.showCheckRunLinks.default(false),
  showGroupNames: fields.showGroupNames.default(true),
  customCSS: fields.customCSS.default(''),
  isPrivate: fields.isPrivate.default(false),
  showP95: fields.showP95.default(true),
  showP99: fields.showP99.default(true),
});
export type DashboardBody = z.output<typeof dashboardCreate>;

/** Body of `PUT /v1/dashboards/{dashboardId}`: a member left out stays as it was. */
export const dashboardUpdate = z
  .object({ ...fields, width: orUnset(fields.width.optional(), '') })
  .partial();
export type DashboardChanges = z.output<typeof dashboardUpdate>;

/** A dashboard as it is stored. */
export interface Dashboard extends DashboardBody {
  /** A positive whole number in decimal digits. */
  id: string;
  /** What the API finds it by: 8 hexadecimal digits. */
  dashboardId: string;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
  updated_at: string | null;
}

export const storedDashboard = z.looseObject({
  ...fields,
  id: z.string().regex(/^[1-9]\d{0,14}$/, 'expected a whole number in digits'),
  dashboardId: z.string().regex(/^[0-9a-f]{8}$/, 'expected 8 hexadecimal digits'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<Dashboard>;

/** A dashboard as the API answers it. */
export const dashboardView = z.object({
  id: z.int().positive(),
  dashboardId: z.string(),
  ...fields,
  keys: z.array(z.never()).meta({ description: 'Always empty.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});

/** The same in a list. */
export const listedDashboardView = dashboardView.extend({ projectBindings });

export function viewDashboard({ id, ...members }: Dashboard): z.output<typeof dashboardView> {
  return dashboardView.parse({ id: Number(id), ...members, keys: [] });
}

export function viewListedDashboard(dashboard: Dashboard) {
  return { ...viewDashboard(dashboard), projectBindings: NO_PROJECT };
}
