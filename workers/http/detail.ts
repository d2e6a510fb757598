import type { Show } from '#shared/assertions/text.ts';
import { MAX_MESSAGE_CHARS, REDACTED } from '../masking/mask.ts';
import { redactHeaders } from '../masking/secret-headers.ts';
import type { HttpFindings, HttpRun } from './findings.ts';
import type { Prepared } from './prepare.ts';
import { fieldsOf } from './request.ts';
import { storedBody, storedText } from './stored-body.ts';
import { type TimingPhases, timingsOf } from './timings.ts';

/**
 * The `apiCheckResult` of a run (specification 2.7), masked: no value of a header that is always
 * secret is in it, and no secret of the run. `phases` are rounded. `scriptErrors` is there only
 * where a script failed.
 */
export function apiCheckResult(
  prepared: Pick<Prepared, 'run' | 'setupLog' | 'errors'>,
  findings: HttpFindings,
  phases: TimingPhases,
): object {
  const { run, setupLog } = prepared;
  const { mask, outcomes, failure, log, teardownLog } = findings;
  const show: Show = (text, maxChars) => mask.start(text, maxChars);
  const shown = mask.data({
    assertions: outcomes,
    request: requestShown(run, findings, show),
    response: responseShown(run, findings, phases, show),
  });
  return {
    ...shown,
    // Bodies are masked where they are cut, and once.
    request: { ...shown.request, ...dataShown(run, findings, show) },
    response: { ...shown.response, ...bodyShown(findings, show) },
    requestError: failure && show(failure.message, MAX_MESSAGE_CHARS),
    ...scriptErrorsShown(prepared, findings, show),
    jobLog: {
      setup: setupLog.shown(show),
      request: log.shown(show),
      teardown: teardownLog.shown(show),
    },
    jobAssets: null,
    pcapDataUrl: null,
  };
}

function scriptErrorsShown(
  { errors }: Pick<Prepared, 'errors'>,
  { teardownErrors }: HttpFindings,
  show: Show,
): object {
  const all = [...errors, ...teardownErrors];
  if (all.length === 0) return {};
  return {
    scriptErrors: all.map((error) => ({
      ...error,
      name: show(error.name, MAX_MESSAGE_CHARS),
      message: show(error.message, MAX_MESSAGE_CHARS),
    })),
  };
}

function requestShown({ ask }: HttpRun, { sent }: HttpFindings, show: Show) {
  const locked = new Set(ask.headers.filter(isLocked).map(({ key }) => key.toLowerCase()));
  return {
    method: ask.method,
    url: storedText(sent ? sent.url.href : ask.url, show).text,
    headers: sent ? redactHeaders(fieldsOf(sent), locked) : {},
    params: Object.fromEntries(
      ask.queryParameters.map((item) => [
        item.key,
        isLocked(item) ? REDACTED : storedText(item.value, show).text,
      ]),
    ),
  };
}

function dataShown({ ask }: HttpRun, { sent }: HttpFindings, show: Show) {
  return { data: storedText(sent ? sent.body : ask.body, show).text };
}

function isLocked({ locked }: { locked: boolean }): boolean {
  return locked;
}

function responseShown(
  { ask, keepContent }: HttpRun,
  { response, url, connection, isResponseUnread }: HttpFindings,
  phases: TimingPhases,
  show: Show,
) {
  const content = keepContent && !isResponseUnread && response ? response.headers : {};
  return {
    status: response?.status ?? 0,
    statusText: response?.statusText ?? '',
    href: storedText(url?.href ?? ask.url, show).text,
    headers: redactHeaders(Object.entries(content)),
    timings: timingsOf(phases),
    timingPhases: phases,
    connection,
  };
}

function bodyShown({ body, bodyType, isResponseUnread }: HttpFindings, show: Show) {
  return isResponseUnread
    ? { body: '', truncated: body.length > 0 }
    : storedBody(body, bodyType, show);
}
