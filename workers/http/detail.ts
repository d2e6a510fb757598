import type { HttpFindings, HttpRun } from './findings.ts';
import { REDACTED, redactHeaders } from './redact.ts';
import { fieldsOf } from './request.ts';
import { cutToBytes, MAX_STORED_TEXT_BYTES, storedBody } from './stored-body.ts';
import { type TimingPhases, timingsOf } from './timings.ts';

/**
 * The `apiCheckResult` of a run (specification 2.7, contract 9.1). Values of headers that are always
 * secret are not in it; other secrets are for the caller to scrub. `phases` are rounded.
 */
export function apiCheckResult(run: HttpRun, findings: HttpFindings, phases: TimingPhases): object {
  return {
    assertions: findings.outcomes,
    request: requestShown(run, findings),
    response: responseShown(run, findings, phases),
    requestError: findings.failure?.message ?? null,
    jobLog: { setup: [], request: findings.log.lines, teardown: [] },
    jobAssets: null,
    pcapDataUrl: null,
  };
}

function requestShown({ ask }: HttpRun, { sent }: HttpFindings): object {
  const locked = new Set(ask.headers.filter(isLocked).map(({ key }) => key.toLowerCase()));
  return {
    method: ask.method,
    url: sent ? sent.url.href : ask.url,
    data: cutToBytes(sent ? sent.body : ask.body, MAX_STORED_TEXT_BYTES),
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
  { response, url, body }: HttpFindings,
  phases: TimingPhases,
): object {
  const content = keepContent && response ? response.headers : {};
  return {
    status: response?.status ?? 0,
    statusText: response?.statusText ?? '',
    ...storedBody(body, response?.headers['content-type']),
    href: url?.href ?? ask.url,
    headers: redactHeaders(Object.entries(content)),
    timings: timingsOf(phases),
    timingPhases: phases,
  };
}
