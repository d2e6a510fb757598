import type { NotificationContent } from '#shared/notifications/notice.ts';
import { titleOf } from '#shared/notifications/title.ts';
import {
  type VariableName,
  type VariableValue,
  variablesOf,
} from '#shared/notifications/variables.ts';
import type { WebhookFormat } from './format.ts';

/** The body of a webhook without a template or a service. */
export const plain: WebhookFormat = {
  compose: ({ url, query, notice }) => ({ url, query, body: plainBody(notice) }),
};

function plainBody(notice: NotificationContent): Record<string, unknown> {
  const variables = variablesOf(notice);
  const only = (name: string, variable: VariableName): Record<string, VariableValue> =>
    variables[variable] === null ? {} : { [name]: variables[variable] };
  return {
    alert_title: titleOf(notice),
    alert_type: variables.ALERT_TYPE,
    started_at: variables.STARTED_AT,
    ...only('check_id', 'CHECK_ID'),
    ...only('check_name', 'CHECK_NAME'),
    ...only('check_type', 'CHECK_TYPE'),
    ...only('description', 'CHECK_DESCRIPTION'),
    ...only('target', 'CHECK_TARGET'),
    ...only('check_result_id', 'CHECK_RESULT_ID'),
    ...only('error', 'CHECK_ERROR_MESSAGE'),
    ...only('assertion', 'FAILED_ASSERTION'),
    ...only('status_code', 'API_CHECK_RESPONSE_STATUS_CODE'),
    ...only('status_text', 'API_CHECK_RESPONSE_STATUS_TEXT'),
    ...only('response_time', 'RESPONSE_TIME'),
    // A location of the operator's own has no other name.
    ...(variables.RUN_LOCATION !== variables.REGION && only('run_location', 'RUN_LOCATION')),
    ...only('region', 'REGION'),
    ...only('group', 'GROUP_NAME'),
    ...only('ssl_days_remaining', 'SSL_DAYS_REMAINING'),
    ...only('ssl_domain', 'SSL_CHECK_DOMAIN'),
    tags: variables.TAGS,
    ...only('link', 'RESULT_LINK'),
  };
}
