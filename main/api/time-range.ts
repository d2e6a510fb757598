import {
  type Window,
  type WindowBounds,
  windowOf,
  windowProblems,
} from '#shared/api/time-range.ts';
import { refuseProblems } from './api-error.ts';
import type { Context } from './operation.ts';

/** The window that a query means, which may be `maxMs` wide (contract 1.1); 400 where it is wider. */
export function windowAsked(query: WindowBounds, maxMs: number, { clock }: Context): Window {
  const window = windowOf(query, clock.now(), maxMs);
  refuseProblems({ source: 'query', problems: windowProblems(window, { maxMs }) });
  return window;
}
