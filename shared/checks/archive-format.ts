/** The formats that an uploaded project may have. */
export type ArchiveFormat = 'tar.gz' | 'tar' | 'zip';

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const USTAR = [0x75, 0x73, 0x74, 0x61, 0x72];
const USTAR_AT = 257;

/** The format of an archive that begins with these bytes, 262 at least; null: none of them. */
export function archiveFormat(head: Uint8Array): ArchiveFormat | null {
  const has = (bytes: readonly number[], at = 0) =>
    bytes.every((byte, index) => head[at + index] === byte);
  if (has(GZIP)) return 'tar.gz';
  if (has(ZIP)) return 'zip';
  return has(USTAR, USTAR_AT) ? 'tar' : null;
}
