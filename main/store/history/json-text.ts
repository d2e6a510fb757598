import type { JsonText } from './history.ts';

/** In a buffer of its own, so that it can be handed to another thread. */
export function jsonText(value: unknown): JsonText {
  return new TextEncoder().encode(JSON.stringify(value));
}
