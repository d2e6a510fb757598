import { randomUUID } from 'node:crypto';

/**
 * A UUIDv7 (RFC 9562, 5.7) of the time given, epoch ms: ids sort by it. The random part is that of
 * `randomUUID`, which Node draws in advance for many ids at once.
 */
export function uuidAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
