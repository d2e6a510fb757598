import { assertionText } from './assertion-text.ts';
import type {
  AlertContent,
  FlappingContent,
  NotificationContent,
  TestNotice,
  ToldAlertType,
} from './notice.ts';
import { type Tone, titleOf, toneOf } from './title.ts';

/** A value of a template; null where there is none. */
export type VariableValue = string | number | boolean | null | readonly string[];

/** The variables of a webhook's template, by name: those of the public API, then two of ours. */
export const NOTICE_VARIABLES = [
  'ALERT_TITLE',
  'ALERT_TYPE',
  'CHECK_NAME',
  'CHECK_ID',
  'CHECK_TYPE',
  'CHECK_DESCRIPTION',
  'CHECK_RESULT_ID',
  'CHECK_ERROR_MESSAGE',
  'RESPONSE_TIME',
  'API_CHECK_RESPONSE_STATUS_CODE',
  'API_CHECK_RESPONSE_STATUS_TEXT',
  'RUN_LOCATION',
  'REGION',
  'RESULT_LINK',
  'SSL_DAYS_REMAINING',
  'SSL_CHECK_DOMAIN',
  'STARTED_AT',
  'TAGS',
  'GROUP_NAME',
  'IS_REMINDER',
  'REMINDER_SEQUENCE',
  'AI_ANALYSIS_CLASSIFICATION',
  'AI_ANALYSIS_ROOT_CAUSE',
  'AI_ANALYSIS_USER_IMPACT',
  'AI_ANALYSIS_CODE_FIX',
  'AI_ANALYSIS_LINK',
  'CHECK_TARGET',
  'FAILED_ASSERTION',
] as const;
export type VariableName = (typeof NOTICE_VARIABLES)[number];

const NONE = Object.fromEntries(NOTICE_VARIABLES.map((name) => [name, null])) as Record<
  VariableName,
  VariableValue
>;

/** Receivers know the types of alerts only: what is none goes by how bad it is, but for a test. */
const TYPE_OF_TONE = {
  info: 'TEST',
  down: 'ALERT_FAILURE',
  warning: 'ALERT_FAILURE',
  degraded: 'ALERT_DEGRADED',
  up: 'ALERT_RECOVERY',
} as const satisfies Record<Tone, ToldAlertType | 'TEST'>;

/** What the template of a webhook may say of a notice. Nothing here analyses: those stay null. */
export function variablesOf(notice: NotificationContent): Record<VariableName, VariableValue> {
  return {
    ...NONE,
    ALERT_TITLE: titleOf(notice),
    ALERT_TYPE: notice.kind === 'alert' ? notice.alertType : TYPE_OF_TONE[toneOf(notice)],
    STARTED_AT: notice.startedAt,
    TAGS: [],
    IS_REMINDER: false,
    REMINDER_SEQUENCE: 0,
    ...kindVariables(notice),
  };
}

function kindVariables(notice: NotificationContent): Partial<Record<VariableName, VariableValue>> {
  switch (notice.kind) {
    case 'alert':
    case 'test':
      return alertVariables(notice);
    case 'flapping':
      return { ...checkVariables(notice), RESULT_LINK: notice.link };
    case 'digest':
      return {
        CHECK_NAME: `${notice.count} checks`,
        CHECK_ERROR_MESSAGE: notice.causes.join('; '),
        RESULT_LINK: notice.link,
      };
    case 'closing':
      return { CHECK_NAME: 'Watchpost' };
    case 'own':
      return {
        CHECK_NAME: notice.slo?.name ?? 'Watchpost',
        CHECK_ERROR_MESSAGE: notice.reason,
        RESULT_LINK: notice.link,
      };
  }
}

function checkVariables({ check, groupName }: AlertContent | TestNotice | FlappingContent) {
  return {
    CHECK_NAME: check.name,
    CHECK_ID: check.id,
    CHECK_TYPE: check.type,
    CHECK_DESCRIPTION: check.description,
    CHECK_TARGET: check.target ?? null,
    TAGS: check.tags,
    GROUP_NAME: groupName,
  };
}

function alertVariables(
  notice: AlertContent | TestNotice,
): Partial<Record<VariableName, VariableValue>> {
  const { failedAssertion } = notice;
  const ssl = toneOf(notice) === 'warning' ? notice.ssl : null;
  return {
    ...checkVariables(notice),
    CHECK_RESULT_ID: notice.resultId,
    CHECK_ERROR_MESSAGE: notice.error,
    RESPONSE_TIME: notice.responseTimeMs === null ? null : Math.round(notice.responseTimeMs),
    FAILED_ASSERTION: failedAssertion && assertionText(failedAssertion),
    API_CHECK_RESPONSE_STATUS_CODE: notice.statusCode,
    API_CHECK_RESPONSE_STATUS_TEXT: notice.statusText,
    RUN_LOCATION: notice.location?.name ?? null,
    REGION: notice.location?.code ?? null,
    RESULT_LINK: notice.resultLink,
    SSL_DAYS_REMAINING: ssl?.daysRemaining ?? null,
    SSL_CHECK_DOMAIN: ssl?.domain ?? null,
    IS_REMINDER: notice.isReminder,
    REMINDER_SEQUENCE: notice.reminderSequence,
  };
}
