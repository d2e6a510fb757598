import type { HttpFindings, HttpRun } from './findings.ts';
import type { Prepared } from './prepare.ts';
import { REDACTED, redactHeaders } from './redact.ts';
import { fieldsOf } from './request.ts';
import type { Scrub } from './scrub.ts';
import { cutToBytes, MAX_STORED_TEXT_BYTES, storedBody } from './stored-body.ts';
import { type TimingPhases, timingsOf } from './timings.ts';

/**
 * The `apiCheckResult` of a run (specification 2.7, contract 9.1). Values of headers that are always
 * secret are not in it, and bodies are scrubbed before they are cut; other secrets are for the
 * caller to scrub. `phases` are rounded. `scriptErrors` is there only where a script failed.
 */
export function apiCheckResult(
  { run, setupLog, errors }: Pick<Prepared, 'run' | 'setupLog' | 'errors'>,
  findings: HttpFindings,
  phases: TimingPhases,
  scrub: Scrub | null,
): object {
  const scriptErrors = [...errors, ...findings.teardownErrors];
  return {
    assertions: findings.outcomes,
    request: requestShown(run, findings, scrub),
    response: responseShown(run, findings, phases, scrub),
    requestError: findings.failure?.message ?? null,
    ...(scriptErrors.length > 0 && { scriptErrors }),
    jobLog: {
      setup: setupLog.lines,
      request: findings.log.lines,
      teardown: findings.teardownLog.lines,
    },
    jobAssets: null,
    pcapDataUrl: null,
  };
}

function requestShown({ ask }: HttpRun, { sent }: HttpFindings, scrub: Scrub | null): object {
  const locked = new Set(ask.headers.filter(isLocked).map(({ key }) => key.toLowerCase()));
  const body = sent ? sent.body : ask.body;
  return {
    method: ask.method,
    url: sent ? sent.url.href : ask.url,
    data: cutToBytes(scrub ? scrub(body) : body, MAX_STORED_TEXT_BYTES),
    headers: sent ? redactHeaders(fieldsOf(sent), locked) : {},
    params: Object.fromEntries(
      ask.queryParameters.map((item) => [item.key, isLocked(item) ? REDACTED : item.value]),
    ),
  };
}

function isLocked({ locked }: { locked: boolean }): boolean {
  return locked;
}

function responseShown(
  { ask, keepContent }: HttpRun,
  { response, url, body, bodyType, isResponseUnread }: HttpFindings,
  phases: TimingPhases,
  scrub: Scrub | null,
): object {
  const content = keepContent && !isResponseUnread && response ? response.headers : {};
  const hidden = { body: '', truncated: body.length > 0 };
  return {
    status: response?.status ?? 0,
    statusText: response?.statusText ?? '',
    ...(isResponseUnread ? hidden : storedBody(body, bodyType, scrub)),
    href: url?.href ?? ask.url,
    headers: redactHeaders(Object.entries(content)),
    timings: timingsOf(phases),
    timingPhases: phases,
  };
}
