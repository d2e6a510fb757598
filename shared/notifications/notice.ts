import type { AlertType, Standing } from '#shared/alerting/alert-type.ts';
import type { CheckType } from '#shared/checks/enums.ts';

/** The alert types that are told: `NO_ALERT` is none. */
export type ToldAlertType = Exclude<AlertType, 'NO_ALERT'>;

export interface ShownCheck {
  /** UUID. */
  id: string;
  name: string;
  type: CheckType;
  description: string | null;
  tags: readonly string[];
  /** The URL or host that was asked; null or, in what an older version kept, missing: none is known. */
  target?: string | null;
}

/** The first assertion of a run that did not hold. */
export interface ShownAssertion {
  source: string;
  property: string | null;
  comparison: string;
  target: string | null;
  /** The value seen, as text. */
  actual: string;
}

/** One alert of one check: all that a message may say. Instants are ISO 8601 in UTC. */
export interface AlertContent {
  kind: 'alert';
  alertType: ToldAlertType;
  check: ShownCheck;
  groupName: string | null;
  /** Where the run was: its code, and the name that people know it by. */
  location: { code: string; name: string } | null;
  resultId: string | null;
  resultLink: string | null;
  startedAt: string;
  responseTimeMs: number | null;
  statusCode: number | null;
  statusText: string | null;
  error: string | null;
  failedAssertion: ShownAssertion | null;
  /** When the trouble that this alert is of began; null where there is none. */
  since: string | null;
  /** Of a recovery: how long it was down or degraded. */
  downForMs: number | null;
  ssl: { daysRemaining: number; domain: string } | null;
  isReminder: boolean;
  /** 0 for the alert itself. */
  reminderSequence: number;
}

/** That a channel works: what an alert may say, with values of no check. */
export interface TestNotice extends Omit<AlertContent, 'kind' | 'alertType'> {
  kind: 'test';
}

/** Many alerts in one message, because they came together. */
export interface DigestContent {
  kind: 'digest';
  /** Where the checks stand now; `expiring`: their certificates end soon. */
  direction: 'failing' | 'degraded' | 'recovered' | 'expiring';
  /** How many checks it tells of, each once; at least 2. */
  count: number;
  /** The groups with the most checks of it, and how many; null for checks in none. */
  groups: readonly { name: string | null; count: number }[];
  /** The first causes. */
  causes: readonly string[];
  /** The first names of checks. */
  checkNames: readonly string[];
  /** Null; of one that an older version kept, the incident that it opened at PagerDuty or Opsgenie. */
  incident: string | null;
  startedAt: string;
  link: string | null;
}

/** A check that changes its state too often to tell of each change. */
export interface FlappingContent {
  kind: 'flapping';
  check: ShownCheck;
  groupName: string | null;
  /** Null when it begins, else the state it settled in. */
  settledAs: Standing | null;
  /** Changes of state, and the time they took. */
  changes: number;
  spanMs: number;
  startedAt: string;
  link: string | null;
}

/** Trouble of the monitor itself, and its end. */
export interface ApplianceContent {
  kind: 'own';
  /** Stays the same from the beginning to the end of one trouble. */
  condition: 'BLIND' | 'CHANNEL_DEAD' | 'SLO_BURN';
  /** Of CHANNEL_DEAD: which one, as each has an end of its own. */
  channelId?: string;
  /** Of SLO_BURN: whose error budget it is. */
  slo?: { id: string; name: string };
  isOver: boolean;
  /** What is the matter, in a sentence without a full stop. */
  reason: string;
  since: string;
  lastedMs: number | null;
  startedAt: string;
  link: string | null;
}

/** That the incident of a check is over, as the check was deleted; only for services that group alerts. */
interface ResolveContent {
  kind: 'closing';
  incident: string;
  startedAt: string;
  link: null;
}

/** Whatever is told over a channel. */
export type NotificationContent =
  | AlertContent
  | TestNotice
  | DigestContent
  | FlappingContent
  | ApplianceContent
  | ResolveContent;

/** The id that no check has. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** What "send a test" sends: values for every part of a template, and no trouble. `at` is in epoch milliseconds. */
export function testNotice(at: number): TestNotice {
  const startedAt = new Date(at).toISOString();
  return {
    kind: 'test',
    check: {
      id: NIL_UUID,
      name: 'Test notification',
      type: 'API',
      description: 'No check has failed: this tests the channel.',
      tags: ['test'],
      target: 'https://test.example.com/',
    },
    groupName: null,
    location: null,
    resultId: null,
    resultLink: null,
    startedAt,
    responseTimeMs: 123,
    statusCode: 200,
    statusText: 'OK',
    error: null,
    failedAssertion: null,
    since: null,
    downForMs: null,
    ssl: null,
    isReminder: false,
    reminderSequence: 0,
  };
}
