import type {
  BrowserContext,
  ConsoleMessage,
  Page,
  Request,
  Response,
  WebError,
} from 'playwright-core';
import { report, shown } from './report.ts';

/** What went wrong in pages, as the result counts it. */
const NONE = { consoleErrors: 0, networkErrors: 0, documentErrors: 0, userScriptErrors: 0 };
const counts = { ...NONE };

/** Reports them, and counts anew. */
export function reportCounts(): void {
  report({ type: 'summary', ...counts });
  Object.assign(counts, NONE);
}

/** Reports what the pages of a context write to their consoles, request and throw. */
export function watchContext(context: BrowserContext, folder: string): void {
  const text = (it: string) => shown(it, folder);
  const statuses = new WeakMap<Request, number>();
  context.on('console', (message) => consoleLine(message, text));
  context.on('weberror', (error) => pageError(error, text));
  context.on('response', (response: Response) =>
    statuses.set(response.request(), response.status()),
  );
  context.on('requestfinished', (request) => networkLine(request, statuses.get(request), text));
  context.on('requestfailed', (request) => networkLine(request, statuses.get(request), text));
}

type Text = (text: string) => string;

function consoleLine(message: ConsoleMessage, text: Text): void {
  if (message.type() === 'error') counts.consoleErrors += 1;
  const { url, lineNumber } = message.location();
  report({
    type: 'console',
    at: message.timestamp(),
    kind: message.type(),
    text: text(message.text()),
    url: text(url),
    line: lineNumber + 1,
  });
}

function pageError(webError: WebError, text: Text): void {
  counts.userScriptErrors += 1;
  const error = webError.error();
  report({
    type: 'console',
    at: Date.now(),
    kind: 'pageerror',
    text: text(error.stack || error.message || String(error)),
    url: text(webError.page()?.url() ?? ''),
  });
}

/** What a page itself breaks off, by going elsewhere, is no error. */
const BROKEN_OFF = 'net::ERR_ABORTED';
const FIRST_BAD_STATUS = 400;

function networkLine(request: Request, status: number | undefined, text: Text): void {
  const failure = request.failure()?.errorText;
  const error = failure === BROKEN_OFF ? undefined : failure;
  if (error || (status ?? 0) >= FIRST_BAD_STATUS) {
    counts[isDocument(request) ? 'documentErrors' : 'networkErrors'] += 1;
  }
  const { startTime, responseEnd } = request.timing();
  report({
    type: 'network',
    at: startTime > 0 ? startTime : Date.now(),
    method: request.method(),
    url: text(request.url()),
    ...(status !== undefined && { status }),
    resourceType: request.resourceType(),
    durationMs: responseEnd >= 0 ? responseEnd : null,
    ...(failure && { error: text(failure) }),
  });
}

/** Whether it is what a page was opened with, and not what a frame in it holds. */
function isDocument(request: Request): boolean {
  return request.isNavigationRequest() && pageOf(request)?.mainFrame() === request.frame();
}

function pageOf(request: Request): Page | undefined {
  return request.frame().page();
}
