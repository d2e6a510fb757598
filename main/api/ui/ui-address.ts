import type { Request, RequestHandler } from 'express';
import { send } from '../http/send.ts';
import { uiDocument } from '../routes/ui.ts';
import type { UiFiles } from './ui-files.ts';

/** Where programs ask: an address below them that is not there is 404 for people too. */
const NOT_UI =
  /^\/(?:v\d|app|artifacts|assets|accounts|check-groups|dashboards|docs|next|ping|status|trace-viewer)(?:\/|$)/i;

/**
 * Answers the interface at every address that no operation has, to whoever asks for a page: which addresses
 * there are is known to the interface alone.
 */
export function serveUi(files: UiFiles): RequestHandler {
  return async (request, response, next) => {
    if (!isForUi(request)) return next();
    const reply = uiDocument(files, request.path);
    response.set('cache-control', 'no-store');
    await send(response, reply.status ?? 200, reply);
  };
}

function isForUi(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !NOT_UI.test(request.path) && request.accepts('json', 'html') === 'html';
}
