import { REDACTED } from './mask.ts';

/** Header fields, in lower case, whose values are always secret. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

/**
 * Header fields as they may be kept: values that are always secret are not shown, nor those of the
 * lower-case names given.
 */
export function redactHeaders(
  fields: Iterable<readonly [string, string]>,
  secretNames: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of fields) {
    const isSecret = SECRET_HEADERS.has(name.toLowerCase()) || secretNames.has(name.toLowerCase());
    const text = isSecret ? REDACTED : value;
    put(shown, name, Object.hasOwn(shown, name) ? `${shown[name]}, ${text}` : text);
  }
  return shown;
}

/**
 * Sets a member whose name somebody else chose. On a plain object, because JSON takes half as long
 * again for one without a prototype (measured).
 */
function put(target: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true });
}
