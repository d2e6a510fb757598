import type { APIRequestContext, APIResponse } from 'playwright-core';
import { internally } from './internal-call.ts';
import type { SpecJob } from './job.ts';
import { instrumentation } from './playwright.ts';
import { report, shown } from './report.ts';

/** Bytes of a body that is reported; of a larger one nothing. */
const MAX_BODY_BYTES = 64_000;
const MAX_TEXT = 16_000;
const MAX_HEADERS = 100;

interface FetchOptions {
  url?: string;
  request?: { url(): string; method(): string };
  method?: string;
  headers?: Record<string, string>;
  params?: Record<string, unknown> | URLSearchParams | string;
  data?: unknown;
  form?: unknown;
}
type Fetch = (this: APIRequestContext, options: FetchOptions) => Promise<APIResponse>;

/** Reports every request that the script makes by itself, with whatever context of Playwright. */
export function watchRequests(job: Readonly<SpecJob>): void {
  instrumentation.addListener({
    runAfterCreateRequestContext: async (context) => watchFetch(context, job),
    runAfterCreateBrowserContext: async ({ request }) => watchFetch(request, job),
  });
}

/** They all have one prototype, which is at hand once there is one of them. */
function watchFetch(context: APIRequestContext, job: Readonly<SpecJob>): void {
  const methods = Object.getPrototypeOf(context) as { _innerFetch: Fetch & { isWatched?: true } };
  const fetch = methods._innerFetch;
  if (fetch.isWatched) return;
  const watched: Fetch = async function (options) {
    const { folder } = job;
    const at = Date.now();
    const started = performance.now();
    try {
      const response = await fetch.call(this, options);
      const durationMs = performance.now() - started;
      await internally(this, () => tell(options, folder, { at, durationMs, response }));
      return response;
    } catch (error) {
      const durationMs = performance.now() - started;
      await tell(options, folder, { at, durationMs, error });
      throw error;
    }
  };
  methods._innerFetch = Object.assign(watched, { isWatched: true as const });
}

interface Exchange {
  at: number;
  durationMs: number;
  response?: APIResponse;
  error?: unknown;
}

async function tell(options: FetchOptions, folder: string, exchange: Exchange): Promise<void> {
  const { at, durationMs, response, error } = exchange;
  const responseBody = response && (await bodyOf(response));
  const requestBody = textOf(options.data ?? options.form);
  report({
    type: 'request',
    at,
    method: (options.method ?? options.request?.method() ?? 'GET').toUpperCase().slice(0, 100),
    url: shown(response?.url() ?? urlOf(options), folder),
    ...(response && { status: response.status() }),
    durationMs,
    requestHeaders: bounded(options.headers ?? {}),
    responseHeaders: bounded(response?.headers() ?? {}),
    ...(requestBody !== undefined && { requestBody: shown(requestBody, folder) }),
    ...(responseBody !== undefined && { responseBody: shown(responseBody, folder) }),
    ...(error instanceof Error && { error: shown(error.message, folder) }),
  });
}

function urlOf({ url, request }: FetchOptions): string {
  return url ?? request?.url() ?? '';
}

function bounded(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.slice(0, 1_000), String(value).slice(0, MAX_TEXT)]),
  );
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return `${body.length} bytes`;
  return JSON.stringify(body);
}

const IS_TEXT = /^text\/|json|xml|javascript|urlencoded|graphql/i;

async function bodyOf(response: APIResponse): Promise<string | undefined> {
  const { 'content-type': type = '', 'content-length': length } = response.headers();
  if (!IS_TEXT.test(type) || Number(length ?? 0) > MAX_BODY_BYTES) return undefined;
  const body = await response.body().catch(() => undefined);
  return body && body.length <= MAX_BODY_BYTES ? body.toString() : undefined;
}
