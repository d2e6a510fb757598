import type { Alert } from '#shared/alerting/alert.ts';
import { ALERT_SUBJECTS, type Standing } from '#shared/alerting/alert-type.ts';
import type { AlertCause } from '#shared/alerting/kept-alert-state.ts';
import type { SslAlert } from '#shared/alerting/ssl.ts';
import { LOCATION_NAMES } from '#shared/checks/enums.ts';
import type {
  AlertContent,
  FlappingContent,
  ShownCheck,
  ToldAlertType,
} from '#shared/notifications/notice.ts';
import type { AlertContext } from './alert-context.ts';
import { askedBy } from './asked.ts';

/** What a content is made from. */
interface ContentParts {
  subject: AlertContext;
  cause: AlertCause;
  /** Where links lead. */
  baseUrl: string;
  /** Epoch ms of the alert. */
  at: number;
}

/** An alert in words of its own, for those who want to know. */
export function alertContent(
  alert: Alert & { type: ToldAlertType },
  { subject, cause, baseUrl, at }: ContentParts,
): AlertContent {
  const isOver = ALERT_SUBJECTS[alert.type] === 'passing';
  return {
    kind: 'alert',
    alertType: alert.type,
    ...whoseNotice(subject, cause.url),
    ...runOf(cause),
    resultLink: resultLink(subject, cause, baseUrl),
    since: iso(isOver ? alert.troubleSince : alert.since),
    downForMs: isOver ? at - alert.troubleSince : null,
    ssl: null,
    isReminder: alert.occasion === 'reminder',
    reminderSequence: alert.reminderSequence,
  };
}

/** That a check is flapping or, with `settledAs`, has settled. */
export function flappingContent(
  alert: Alert,
  settledAs: Standing | null,
  { subject, cause, baseUrl, at }: ContentParts,
): FlappingContent {
  return {
    kind: 'flapping',
    ...whoseNotice(subject),
    settledAs,
    changes: alert.changes,
    spanMs: at - alert.troubleSince,
    startedAt: iso(cause.startedAt),
    link: resultLink(subject, cause, baseUrl) ?? checkLink(subject, baseUrl),
  };
}

/** That a certificate ends soon. It says nothing of the run that met it. */
export function certificateContent(
  { type, domain, daysRemaining }: SslAlert,
  { subject, baseUrl, at }: Pick<ContentParts, 'subject' | 'baseUrl' | 'at'>,
): AlertContent {
  return {
    kind: 'alert',
    alertType: type,
    ...whoseNotice(subject),
    location: null,
    resultId: null,
    resultLink: checkLink(subject, baseUrl),
    startedAt: iso(at),
    responseTimeMs: null,
    statusCode: null,
    statusText: null,
    error: null,
    failedAssertion: null,
    since: null,
    downForMs: null,
    ssl: { daysRemaining, domain },
    isReminder: false,
    reminderSequence: 0,
  };
}

function whoseNotice(
  { check, group }: AlertContext,
  url?: string,
): {
  check: ShownCheck;
  groupName: string | null;
} {
  const { id, name, checkType: type, description, tags } = check;
  return {
    check: {
      id,
      name,
      type,
      description: description ?? null,
      tags,
      target: url ?? askedBy(check),
    },
    groupName: group?.name ?? null,
  };
}

function runOf({ location, startedAt, responseTime, ...cause }: AlertCause) {
  const { resultId, statusCode, statusText, error, failedAssertion } = cause;
  return {
    location: location === null ? null : { code: location, name: locationName(location) },
    resultId,
    startedAt: iso(startedAt),
    responseTimeMs: responseTime,
    statusCode,
    statusText,
    error,
    failedAssertion,
  };
}

/** What people call a location; those of our own go by their code. */
function locationName(code: string): string {
  const names: Readonly<Record<string, string>> = LOCATION_NAMES;
  return names[code] ?? code;
}

/** In the API, as there are no pages yet. */
function resultLink({ check }: AlertContext, { resultId, eventId }: AlertCause, baseUrl: string) {
  if (resultId !== null) return apiLink(baseUrl, `/v1/check-results/${check.id}/${resultId}`);
  if (eventId === undefined) return null;
  return apiLink(baseUrl, `/v1/checks/heartbeats/${check.id}/events/${eventId}`);
}

function checkLink({ check }: AlertContext, baseUrl: string): string {
  return apiLink(baseUrl, `/v1/checks/${check.id}`);
}

function apiLink(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/$/, '')}${path}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
