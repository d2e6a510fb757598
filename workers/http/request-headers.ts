import packageJson from '../../package.json' with { type: 'json' };

export type HeaderField = readonly [name: string, value: string];

/** What the headers of a request are made from. */
export interface HeaderParts {
  method: string;
  /** The user's headers: they win over ours. */
  own: readonly HeaderField[];
  /** `user:password` for basic authentication. */
  credentials: string | null;
  /** Null where none is set unless the user does. */
  contentType: string | null;
  bodyBytes: number;
}

export const USER_AGENT = `Watchpost/${packageJson.version}`;

/** Methods that announce an empty body too (RFC 9110 8.6). */
const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'];
/**
 * The framing of the message is ours: a length that differs from the body would make a server
 * wait, or read the rest as another request.
 */
const FRAMING: readonly string[] = ['content-length', 'transfer-encoding'];

/** All header fields of a request but Host, which changes with the URL, in the order sent. */
export function requestHeaders(parts: HeaderParts): HeaderField[] {
  const own = parts.own.filter(([name]) => !FRAMING.includes(name.toLowerCase()));
  const taken = new Set(own.map(([name]) => name.toLowerCase()));
  return [...own, ...defaults(parts).filter(([name]) => !taken.has(name))];
}

function defaults({ method, credentials, contentType, bodyBytes }: HeaderParts): HeaderField[] {
  const fields: HeaderField[] = [
    ['user-agent', USER_AGENT],
    ['accept', '*/*'],
    ['accept-encoding', 'gzip, deflate, br'],
    ['connection', 'close'],
  ];
  if (contentType !== null) fields.push(['content-type', contentType]);
  if (credentials !== null) {
    fields.push(['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]);
  }
  if (bodyBytes > 0 || WITH_BODY.includes(method)) fields.push(['content-length', `${bodyBytes}`]);
  return fields;
}

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** What is wrong with the first header field that may not be sent (RFC 9110 5), or null. */
export function headerProblem(fields: readonly HeaderField[]): string | null {
  for (const [name, value] of fields) {
    if (!FIELD_NAME.test(name)) {
      return `A header name contains a character that is not allowed: ${JSON.stringify(name)}`;
    }
    if (!FIELD_VALUE.test(value)) {
      return `The value of the header ${name} contains a character that is not allowed`;
    }
  }
  return null;
}
