/**
 * The token of a ping's path, undefined where the path is none: read as the router reads it, which
 * takes capitals in the path and a slash at its end.
 */
export function pingTokenOf(path: string): string | undefined {
  return /^\/ping\/([^/]+)\/?$/i.exec(path)?.[1];
}
