/** Where the project of a Playwright check is. */
export type ProjectSource =
  /** An uploaded archive, by the hash of its bytes (hexadecimal). */
  | { kind: 'archive'; sha256: string }
  /** A folder on this machine: an absolute path. */
  | { kind: 'folder'; path: string }
  | { kind: 'unknown' };

const KEY = /^code-bundles\/([0-9a-f]{64})$/;
const ABSOLUTE = /^(?:\/|[a-z]:[/\\])/i;

/** The key of an archive, which `codeBundlePath` names. */
export function keyOfArchive(sha256: string): string {
  return `code-bundles/${sha256}`;
}

/** What a `codeBundlePath` names: the key of an archive, an absolute path, or a `file:` URL of one. */
export function projectSource(codeBundlePath: string): ProjectSource {
  const [, sha256] = KEY.exec(codeBundlePath) ?? [];
  if (sha256 !== undefined) return { kind: 'archive', sha256 };
  const path = codeBundlePath.startsWith('file://')
    ? pathOfUrl(codeBundlePath.slice('file://'.length))
    : codeBundlePath;
  return ABSOLUTE.test(path) && !path.includes('\0')
    ? { kind: 'folder', path }
    : { kind: 'unknown' };
}

/** What follows `file://`; of another machine, or not decodable: no path. */
function pathOfUrl(rest: string): string {
  try {
    const path = decodeURIComponent(rest.replace(/^localhost(?=\/)/i, ''));
    return path.replace(/^\/(?=[a-z]:)/i, '');
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}
