import type { Cause, RunFailure } from '#shared/runs/protocol.ts';

/**
 * A failure on the way to a target, with what the system said about it: results show these
 * members as `response.error`. `code` is a system, resolver, TLS or own code; the rest is there
 * where it is known.
 */
export interface NetworkFailure extends RunFailure {
  code: string;
  errno?: number;
  syscall?: string;
  hostname?: string;
  address?: string;
  port?: number;
}

/** Where a run can run out of time, in the order in which an exchange passes through. */
export type Phase = 'DNS' | 'CONNECT' | 'TLS' | 'RESPONSE' | 'DOWNLOAD';

const PHASE_WORDS = {
  DNS: 'while resolving the name',
  CONNECT: 'while connecting',
  TLS: 'during the TLS handshake',
  RESPONSE: 'while waiting for the response',
  DOWNLOAD: 'while reading the response',
} as const satisfies { [P in Phase]: string };

/** The failure of a run that ran out of time in the phase given. */
export function timeoutFailure(phase: Phase, timeoutMs: number): NetworkFailure {
  return {
    cause: `TIMEOUT_${phase}`,
    code: 'SOCKET_TIMEOUT',
    message: `Timed out after ${Math.round(timeoutMs)} ms ${PHASE_WORDS[phase]}`,
  };
}

const because = (cause: Cause, ...codes: string[]) => codes.map((code) => [code, cause] as const);

/**
 * What an error code means for a run. System codes as in errno(3), certificate codes as OpenSSL
 * names them in X509_verify_cert_error_string(3). Want of files, ports or memory on this machine
 * is our own trouble and never blamed on the target.
 */
const CAUSE_OF_CODE: ReadonlyMap<string, Cause> = new Map([
  ...because('CONNECTION_REFUSED', 'ECONNREFUSED'),
  ...because('CONNECTION_RESET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE'),
  ...because('UNREACHABLE', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'),
  ...because('UNREACHABLE', 'EACCES', 'EPERM', 'ENONET'),
  ...because('TIMEOUT_CONNECT', 'ETIMEDOUT'),
  ...because('TLS_EXPIRED', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'),
  ...because('TLS_WRONG_HOST', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'),
  ...because('TLS_UNTRUSTED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'),
  ...because('TLS_UNTRUSTED', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
  ...because('TLS_UNTRUSTED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_CHAIN_TOO_LONG'),
  ...because('TLS_UNTRUSTED', 'CERT_REVOKED', 'CERT_UNTRUSTED', 'CERT_REJECTED', 'INVALID_CA'),
  ...because('TLS_UNTRUSTED', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'UNSPECIFIED'),
  ...because('TLS_UNTRUSTED', 'CERT_SIGNATURE_FAILURE', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE'),
  ...because('TLS_UNTRUSTED', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CERT_NOT_AFTER_FIELD'),
  ...because('TLS_UNTRUSTED', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY'),
  ...because('TLS_WRONG_HOST', 'ERR_TLS_CERT_ALTNAME_FORMAT'),
  ...because('TLS_HANDSHAKE', 'EPROTO', 'ERR_TLS_DH_PARAM_SIZE'),
  // A link-local address without its zone.
  ...because('INVALID_TARGET', 'EINVAL'),
]);

/** How Node names errors of OpenSSL: of its TLS part, and of the others, such as broken ASN.1. */
const OF_OPENSSL = /^ERR_(?:SSL|OSSL)_/;

/** The system's description of an error, as Node attaches it. */
type SystemError = Error & Partial<Omit<NetworkFailure, keyof RunFailure>>;

const SENTENCES: Partial<Record<Cause, string>> = {
  CONNECTION_REFUSED: 'The connection was refused',
  CONNECTION_RESET: 'The connection was closed by the other side',
  UNREACHABLE: 'The address cannot be reached',
  TIMEOUT_CONNECT: 'Timed out while connecting',
  TLS_EXPIRED: 'The certificate is expired or not valid yet',
  TLS_WRONG_HOST: 'The certificate is for another host',
  TLS_UNTRUSTED: 'The certificate is not trusted',
  TLS_HANDSHAKE: 'The TLS handshake failed',
  INVALID_TARGET: 'No connection can be made to this address',
  INTERNAL: 'This machine could not make the connection',
};

/**
 * What a socket's error means, decided by its code. `where` names the target for people, such as
 * `127.0.0.1:80`. Codes that nobody has classified count as our own trouble.
 */
export function socketFailure(error: SystemError, where: string): NetworkFailure {
  const code = error.code ?? 'UNKNOWN';
  const cause = CAUSE_OF_CODE.get(code) ?? (OF_OPENSSL.test(code) ? 'TLS_HANDSHAKE' : 'INTERNAL');
  const { errno, syscall, hostname, address, port } = error;
  return {
    cause,
    code,
    message: `${SENTENCES[cause]}: ${where} (${code})`,
    ...defined({ errno, syscall, hostname, address, port }),
  };
}

function defined<T extends object>(members: T): Partial<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
