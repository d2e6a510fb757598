import { VERSION } from '#main/platform/version.ts';
import type { Engines } from '#main/services/services.ts';
import { createMetrics } from './metrics.ts';
import { openapiOf } from './openapi/document.ts';
import type { Operation, Pages } from './operation.ts';
import type { ApiOptions } from './options.ts';

/** The generated pages: all made at the start, so that no request waits for it, nor any run. */
export function createPages(
  engines: Engines,
  { registry }: ApiOptions,
  operations: readonly Operation[],
): Pages {
  const metrics = createMetrics(engines, registry);
  const openapi = JSON.stringify(openapiOf(operations, VERSION));
  return { openapi, metrics: () => metrics.metrics() };
}
