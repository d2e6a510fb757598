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

/** A failure as a value: a receiver that is down is nobody's mistake here. */
export interface EgressFailure {
  failure: EgressCause;
  /** For people; names the host, never a path, query or header. */
  message: string;
}

/** Codes of errors that certificates and handshakes end in. */
const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|ERR_OSSL)/;

/** The failure that an error of a socket stands for. Never by its message. */
export function failureOf(error: unknown, host: string): EgressFailure {
  const code = codeOf(error);
  if (code === undefined) throw new Error(`Sending to ${host} broke`, { cause: error });
  if (code.startsWith('HPE_')) {
    return { failure: 'INVALID_RESPONSE', message: `${host} does not answer in HTTP (${code})` };
  }
  if (TLS_CODES.test(code)) {
    return { failure: 'TLS_FAILURE', message: `No secure connection to ${host} (${code})` };
  }
  return { failure: 'CONNECTION_FAILED', message: `The connection to ${host} failed (${code})` };
}

/** An attempt at several addresses ends in an error that holds one for each. */
function codeOf(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined || !(error instanceof AggregateError)) return code;
  return (error.errors[0] as NodeJS.ErrnoException | undefined)?.code;
}

/** Of an answer that switches to a protocol that nobody asked for. */
export function anotherProtocol(host: string): EgressFailure {
  return { failure: 'INVALID_RESPONSE', message: `${host} answers in another protocol` };
}

export function timedOut(host: string, timeoutMs: number): EgressFailure {
  return { failure: 'TIMEOUT', message: `${host} did not answer within ${timeoutMs} ms` };
}
