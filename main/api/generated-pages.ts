import { readFileSync } from 'node:fs';
import { VERSION } from '#main/platform/version.ts';
import type { Engines } from '#main/services/services.ts';
import { renderDocs } from './docs/page.ts';
import { createMetrics } from './metrics.ts';
import { openapiOf } from './openapi/document.ts';
import type { Operation, Pages } from './operation.ts';
import type { ApiOptions } from './options.ts';

const STYLE = new URL('docs/style.css', import.meta.url);

/** The generated pages: all made at the start, so that no request waits for it, nor any run. */
export function createPages(
  engines: Engines,
  { registry }: ApiOptions,
  operations: readonly Operation[],
): Pages {
  const metrics = createMetrics(engines, registry);
  const document = openapiOf(operations, VERSION);
  const openapi = JSON.stringify(document);
  const docs = renderDocs(document);
  const docsStyle = readFileSync(STYLE, 'utf8');
  return { openapi, docs, docsStyle, metrics: () => metrics.metrics() };
}
