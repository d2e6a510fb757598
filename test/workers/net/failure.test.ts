import { describe, expect, test } from 'vitest';
import { socketFailure, timeoutFailure } from '#workers/net/failure.ts';

describe('what a socket’s error means', () => {
  test.each([
    ['ECONNREFUSED', 'CONNECTION_REFUSED'],
    ['ECONNRESET', 'CONNECTION_RESET'],
    ['EPIPE', 'CONNECTION_RESET'],
    ['EHOSTUNREACH', 'UNREACHABLE'],
    ['ENETUNREACH', 'UNREACHABLE'],
    ['ETIMEDOUT', 'TIMEOUT_CONNECT'],
    ['CERT_HAS_EXPIRED', 'TLS_EXPIRED'],
    ['CERT_NOT_YET_VALID', 'TLS_EXPIRED'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS_WRONG_HOST'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS_UNTRUSTED'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_UNTRUSTED'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS_UNTRUSTED'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_HANDSHAKE'],
    ['ERR_OSSL_ASN1_WRONG_TAG', 'TLS_HANDSHAKE'],
    ['ERR_TLS_DH_PARAM_SIZE', 'TLS_HANDSHAKE'],
    ['ERR_TLS_CERT_ALTNAME_FORMAT', 'TLS_WRONG_HOST'],
    ['UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'TLS_UNTRUSTED'],
    ['EINVAL', 'INVALID_TARGET'],
    ['EPROTO', 'TLS_HANDSHAKE'],
    ['EMFILE', 'INTERNAL'],
    ['EADDRNOTAVAIL', 'INTERNAL'],
    ['ENOBUFS', 'INTERNAL'],
  ])('%s is %s', (code, cause) => {
    // The text says something else on purpose: only the code decides.
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code });
    expect(socketFailure(error, 'a:1')).toMatchObject({
      cause,
      code,
      message: expect.stringContaining(`: a:1 (${code})`),
    });
  });

  test('without a code is our own trouble', () => {
    expect(socketFailure(new Error('?'), 'a:1').cause).toBe('INTERNAL');
  });

  test('keeps what the system said, and nothing that it did not', () => {
    const error = Object.assign(new Error(), {
      code: 'ECONNREFUSED',
      errno: -111,
      syscall: 'connect',
      port: 80,
    });
    expect(socketFailure(error, 'a:80')).toEqual({
      cause: 'CONNECTION_REFUSED',
      code: 'ECONNREFUSED',
      message: 'The connection was refused: a:80 (ECONNREFUSED)',
      errno: -111,
      syscall: 'connect',
      port: 80,
    });
  });
});

describe('running out of time', () => {
  test.each([
    ['DNS', 'TIMEOUT_DNS', 'while resolving the name'],
    ['CONNECT', 'TIMEOUT_CONNECT', 'while connecting'],
    ['TLS', 'TIMEOUT_TLS', 'during the TLS handshake'],
    ['RESPONSE', 'TIMEOUT_RESPONSE', 'while waiting for the response'],
    ['DOWNLOAD', 'TIMEOUT_DOWNLOAD', 'while reading the response'],
  ] as const)('in the phase %s is %s', (phase, cause, words) => {
    expect(timeoutFailure(phase, 30_000)).toEqual({
      cause,
      code: 'SOCKET_TIMEOUT',
      message: `Timed out after 30000 ms ${words}`,
    });
  });
});
