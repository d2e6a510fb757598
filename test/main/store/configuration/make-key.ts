import type { ApiKey } from '#main/store/configuration/configuration.ts';

/** A key as it is kept. */
export function makeKey(id: string, name = 'a key'): ApiKey {
  return {
    id,
    name,
    hash: 'a0'.repeat(32),
    prefix: 'wp_abc',
    created_at: '2026-01-01T00:00:00.000Z',
  };
}
