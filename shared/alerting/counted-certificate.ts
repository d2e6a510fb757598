import type { CheckType } from '#shared/checks/enums.ts';
import type { PeerCertificate } from '#shared/runs/protocol.ts';

/**
 * The certificate of a run that is watched for its end: the one that its first connection met or,
 * where the check names a `sslCheckDomain`, that one if it is of this domain.
 */
export function countedCertificate(
  { sslCheckDomain }: { checkType: CheckType; sslCheckDomain?: string | null | undefined },
  certificate: PeerCertificate | null | undefined,
): PeerCertificate | null {
  const wanted = sslCheckDomain?.trim().toLowerCase();
  if (!certificate || (wanted && wanted !== certificate.domain.toLowerCase())) return null;
  return certificate;
}
