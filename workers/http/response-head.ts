/** The status line and header fields of an HTTP/1.x response. */
export interface ResponseHead {
  /** Minor version: 0 or 1. */
  minorVersion: number;
  status: number;
  statusText: string;
  /** Names in lower case; the values of a repeated field are joined by `, ` (RFC 9110 5.3). */
  headers: Record<string, string>;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads a head without its closing empty line; lines end with CRLF or a bare LF (RFC 9112 2.2).
 * Null where it is not one. Every step is linear in its length, whatever the target sends.
 */
export function parseHead(text: string): ResponseHead | null {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const match = STATUS_LINE.exec(lines[0] ?? '');
  if (!match) return null;
  const headers = parseFields(lines.slice(1));
  if (!headers) return null;
  return {
    minorVersion: Number(match[1]),
    status: Number(match[2]),
    statusText: match[3] ?? '',
    headers,
  };
}

function parseFields(lines: readonly string[]): Record<string, string> | null {
  const headers: Record<string, string> = Object.create(null);
  let name = '';
  for (const line of lines) {
    if (isFolded(line)) {
      if (name === '') return null;
      headers[name] = `${headers[name]} ${line.trim()}`.trim();
      continue;
    }
    const colon = line.indexOf(':');
    name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!FIELD_NAME.test(name)) return null;
    const value = line.slice(colon + 1).trim();
    const earlier = headers[name];
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  return headers;
}

/** A line that goes on with the field before it (obsolete, RFC 9112 5.2, and still met). */
function isFolded(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t');
}

/** How the body of a response ends (RFC 9112 6.3). */
export type Framing =
  | { kind: 'none' | 'chunked' | 'untilClose' }
  | { kind: 'sized'; length: number }
  | { kind: 'malformed' };

/** The framing of the body that follows a head, in answer to a request with the method given. */
export function framingOf({ status, headers }: ResponseHead, method: string): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
    return { kind: 'none' };
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    return { kind: /(?:^|,)\s*chunked$/i.test(coding.trim()) ? 'chunked' : 'untilClose' };
  }
  const length = headers['content-length'];
  return length === undefined ? { kind: 'untilClose' } : sized(length);
}

/** A length may be repeated, as long as it is the same one. */
function sized(text: string): Framing {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const isLength = /^\d{1,15}$/.test(first) && others.every((other) => other === first);
  return isLength ? { kind: 'sized', length: Number(first) } : { kind: 'malformed' };
}
