const TIME_BITS = 60;
/** Some hundred thousand years from now, and within what time zones can be asked for. */
const LAST_MS = 8e15;

/**
 * The id of an occurrence: a UUID of version 8 (RFC 9562, 5.8) that holds the planned start and the
 * window, so that an occurrence has an id without being kept anywhere.
 */
export function maintenanceId(windowId: string, plannedMs: number): string {
  const time = BigInt.asUintN(TIME_BITS, BigInt(plannedMs)).toString(16).padStart(15, '0');
  const owner = Number(windowId).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-8${time.slice(12)}-8000-${owner}`;
}

/** The planned start (epoch milliseconds) in an id of a window's occurrence; null in any other. */
export function plannedStartOf(windowId: string, id: string): number | null {
  const hex = id.replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/i.test(hex)) return null;
  const time = BigInt.asIntN(TIME_BITS, BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}`));
  const plannedMs = Number(time);
  if (Math.abs(plannedMs) > LAST_MS) return null;
  return maintenanceId(windowId, plannedMs) === id.toLowerCase() ? plannedMs : null;
}
