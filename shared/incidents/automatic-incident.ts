import { cut } from '#shared/assertions/text.ts';
import type { Check } from '#shared/checks/check.ts';
import { type Finding, nameIn } from './automatic-updates.ts';
import { type IncidentService, MAX_UPDATE_DESCRIPTION, type StoredIncident } from './incident.ts';

/** Characters of a name. */
const MAX_NAME = 255;

/** What a check says about the incident that its failure opens. */
export type IncidentTrigger = NonNullable<Check['triggerIncident']>;

/** What a template says; null where it cannot be used. Values in `markdown` make no links. */
export type FillIn = (template: string, context: 'plain' | 'markdown') => string | null;

interface IncidentParts {
  /** UUIDv7 of `finding.now`. */
  id: string;
  checkId: string;
  trigger: IncidentTrigger;
  service: IncidentService;
  finding: Finding;
  fillIn: FillIn;
}

/** The incident of a check that has failed, with its first update. */
export function automaticIncident(parts: IncidentParts): StoredIncident {
  const { id, checkId, trigger, service, finding, fillIn } = parts;
  const { severity, notifySubscribers } = trigger;
  const { at, now, updateId, checkName } = finding;
  const { id: serviceId, name, created_at, updated_at } = service;
  const description = fillIn(trigger.description, 'markdown') ?? trigger.description;
  return {
    id,
    revision: 1,
    name: nameOf(fillIn(trigger.name, 'plain') ?? trigger.name, checkName),
    severity,
    services: [{ id: serviceId, name, created_at, updated_at }],
    updates: [
      {
        id: updateId,
        description: cut(description.trim() || `${nameIn(finding)} fails.`, MAX_UPDATE_DESCRIPTION),
        status: 'INVESTIGATING',
        publishedAt: at,
        createdAt: now,
        notifySubscribers,
      },
    ],
    automation: { checkId, notifySubscribers },
    createdAt: now,
    updatedAt: null,
    isDeleted: false,
  };
}

function nameOf(text: string, checkName: string): string {
  return cut(onOneLine(text) || checkName, MAX_NAME);
}

/** A text without what would end its line in a heading or in the subject of a mail. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
