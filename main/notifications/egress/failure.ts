/** Why nothing was sent, or no answer came. */
export type EgressCause =
  /** No http or https URL, or one with credentials. */
  | 'INVALID_URL'
  /** The address is not public, and the operator does not allow it. */
  | 'DENIED_ADDRESS'
  | 'DNS_FAILURE'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILURE'
  | 'TIMEOUT'
  /** What came is no HTTP. */
  | 'INVALID_RESPONSE';

/** A failure as a value and not an error: a receiver may be down at any time. */
export interface EgressFailure {
  failure: EgressCause;
  /** For people; names the host, never a path, query or header. */
  message: string;
}

/** Codes of errors that certificates and handshakes end in. */
const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|ERR_OSSL)/;
/** Codes of answers that are too large in their head, or longer or shorter than they say. */
const ANSWER_CODES = /^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/;

/** The failure that an error of undici or of a socket stands for. Never by its message. */
export function failureOf(error: unknown, host: string): EgressFailure {
  const { name, code, socket } = detailsOf(error);
  if (name === 'HTTPParserError' || ANSWER_CODES.test(code ?? '')) {
    return { failure: 'INVALID_RESPONSE', message: `${host} does not answer in HTTP` };
  }
  if (code === undefined) throw new Error(`Sending to ${host} broke`, { cause: error });
  // The connection ended, after bytes that are no answer: a switch to a protocol that nobody asked for.
  if (code === CLOSED && socket !== undefined && socket.bytesRead > 0) {
    return { failure: 'INVALID_RESPONSE', message: `${host} answers in another protocol` };
  }
  if (TLS_CODES.test(code)) {
    return { failure: 'TLS_FAILURE', message: `No secure connection to ${host} (${code})` };
  }
  const shown = code === CLOSED ? 'ECONNRESET' : code;
  return { failure: 'CONNECTION_FAILED', message: `The connection to ${host} failed (${shown})` };
}

/** The other side closed the connection, or it was closed for what the other side sent. */
const CLOSED = 'UND_ERR_SOCKET';

interface Details {
  name?: string;
  code?: string | undefined;
  /** Of {@link CLOSED}: what the connection had brought. */
  socket?: { bytesRead: number };
}

/** An attempt at several addresses ends in an error that holds one for each. */
function detailsOf(error: unknown): Details {
  const details = error as Details;
  if (details.code !== undefined || !(error instanceof AggregateError)) return details;
  return (error.errors[0] ?? {}) as Details;
}

export function timedOut(host: string, timeoutMs: number): EgressFailure {
  return { failure: 'TIMEOUT', message: `${host} did not answer within ${timeoutMs} ms` };
}
