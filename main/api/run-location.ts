import { refuseProblems } from '#main/services/service-error.ts';
import type { InputSource } from '#shared/api/errors.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { LOCATIONS } from '#shared/checks/enums.ts';
import { DEFAULT_LOCATION } from '#shared/runs/locations.ts';

const PLACES: readonly string[] = [...LOCATIONS, DEFAULT_LOCATION];

/**
 * Refuses a `runLocation` where nothing can run: it is a data center, `local`, or a private location
 * that one of the checks names.
 */
export function refuseUnknownLocation(
  runLocation: string,
  checks: readonly RunnableCheck[],
  source: InputSource,
): void {
  if (PLACES.includes(runLocation)) return;
  if (checks.some(({ privateLocations }) => privateLocations?.includes(runLocation))) return;
  const message = 'expected a location, or a private location of one of the checks';
  refuseProblems({ source, problems: [{ path: 'runLocation', message }] });
}
