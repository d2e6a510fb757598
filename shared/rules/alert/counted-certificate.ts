import type { Check } from '../../check/check.ts';
import type { PeerCertificate } from '../../run/protocol.ts';

/**
 * The certificate of a run that is watched for its end: the one that its first connection met or,
 * where the check names a `sslCheckDomain`, that one if it is of this domain (contract 6.3).
 */
export function countedCertificate(
  check: Check,
  certificate: PeerCertificate | null | undefined,
): PeerCertificate | null {
  const domain = 'sslCheckDomain' in check ? check.sslCheckDomain : null;
  const wanted = domain?.trim().toLowerCase();
  if (!certificate || (wanted && wanted !== certificate.domain.toLowerCase())) return null;
  return certificate;
}
