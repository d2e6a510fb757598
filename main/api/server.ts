import express, { type Express } from 'express';
import type { Engines, Services } from '#main/services/services.ts';
import { answerErrors, unknownRoute } from './http/error-handler.ts';
import { hostGuard } from './http/host-guard.ts';
import { identify } from './http/identify.ts';
import { mount } from './http/mount.ts';
import { limitRate } from './http/rate-limit.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openapiReader } from './openapi/read-document.ts';
import type { Context, Pages } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { ApiOptions } from './options.ts';
import { refuseUnknownType } from './routes/checks.ts';
import { serveUi } from './ui/ui-address.ts';
import { readUiFiles } from './ui/ui-files.ts';

/** The whole HTTP API on the services given. It listens to nothing. */
export function createApi(engines: Engines, services: Services, options: ApiOptions): Express {
  const context: Context = {
    ...services,
    options,
    clock: engines.clock,
    pages: createPages(engines, options),
  };
  const { publicPages, boards } = services;
  const pathOfDomain = (host: string) =>
    publicPages.pathOfDomain(host) ?? boards.pathOfDomain(host);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  // Only trusted proxies may name the client in `X-Forwarded-For`: any other sender could forge it.
  app.set('trust proxy', [...options.trustedProxies]);
  // Security headers come first, so that errors have them too; the rate limit needs the sender.
  app.use(securityHeaders(), hostGuard(options, pathOfDomain), identify(context));
  app.use(limitRate(options, services.checks.pingTokens));
  app.post('/v1/checks/:segment', refuseUnknownType);
  app.put('/v1/checks/:segment/:id', refuseUnknownType);
  mount(app, OPERATIONS, context);
  app.use(serveUi(context.pages.ui), unknownRoute, answerErrors(options.log));
  return app;
}

/** The generated pages. */
function createPages(engines: Engines, { registry }: ApiOptions): Pages {
  const metrics = createMetrics(engines, registry);
  return { openapi: openapiReader(), ui: readUiFiles(), metrics: () => metrics.metrics() };
}
