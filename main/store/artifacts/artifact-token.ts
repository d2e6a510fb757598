import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ResultAddress } from '#shared/artifacts/artifact.ts';
import { formatUuid, parseUuid } from '../history/uuid.ts';

/** What links to artifacts are made with; it may cross to the thread that makes lists of results. */
export interface ArtifactSigning {
  /** Known to this appliance only. */
  key: Uint8Array;
  /** Where links begin, without a slash at its end. */
  baseUrl: string;
  /** Epoch seconds. */
  expiresAt: number;
}

const HOUR = 3_600;
/** How long links open, in hours; those that are made within an hour are the same. */
const LINK_HOURS = 12;

/** When links end that are made at `now` (epoch ms), in epoch seconds. */
export function linksExpireAt(now: number): number {
  return (Math.ceil(now / 1_000 / HOUR) + LINK_HOURS) * HOUR;
}

/** Of a check, or of a test session; then the two ids of the address, and when the token ends. */
const OF_CHECK = 0;
const OF_TEST_SESSION = 1;
const PAYLOAD_BYTES = 1 + 16 + 16 + 6;
const TOKEN_BYTES = PAYLOAD_BYTES + 32;

/** A text that opens all that a result left; null for ids that no result has. */
export function artifactToken(
  of: ResultAddress,
  { key, expiresAt }: Pick<ArtifactSigning, 'key' | 'expiresAt'>,
): string | null {
  const isOfCheck = 'checkId' in of;
  const owner = parseUuid(isOfCheck ? of.checkId : of.sessionId);
  const result = parseUuid(of.resultId);
  if (owner === null || result === null) return null;
  const expiry = Buffer.alloc(6);
  expiry.writeUIntBE(expiresAt, 0, 6);
  const kind = Buffer.of(isOfCheck ? OF_CHECK : OF_TEST_SESSION);
  const payload = Buffer.concat([kind, owner, result, expiry]);
  return Buffer.concat([payload, signatureOf(payload, key)]).toString('base64url');
}

/** What a token opens at `now` (epoch ms); null for one that is not ours, or over. */
export function readArtifactToken(
  token: string,
  key: Uint8Array,
  now: number,
): ResultAddress | null {
  const sent = Buffer.from(token, 'base64url');
  const bytes = Buffer.alloc(TOKEN_BYTES);
  sent.copy(bytes);
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const isOurs = timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), signatureOf(payload, key));
  const expiresAt = payload.readUIntBE(PAYLOAD_BYTES - 6, 6);
  if (sent.length !== TOKEN_BYTES || !isOurs || expiresAt * 1_000 <= now) return null;
  const owner = formatUuid(payload.subarray(1, 17));
  const resultId = formatUuid(payload.subarray(17, 33));
  return payload[0] === OF_CHECK ? { checkId: owner, resultId } : { sessionId: owner, resultId };
}

function signatureOf(payload: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}
