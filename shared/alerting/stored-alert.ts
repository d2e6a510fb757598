import type { CheckType } from '#shared/checks/enums.ts';
import { type AlertOccasion, WITHHELD } from './alert.ts';
import type { AlertType } from './alert-type.ts';

/** Why nobody was told. `unheard`: it was to be sent, and no channel of the check wants it. */
export const UNTOLD_REASONS = [...WITHHELD, 'unheard'] as const;
export type UntoldReason = (typeof UNTOLD_REASONS)[number];

/** An alert as it is kept, in one transaction with what caused it (2.8). Times are epoch ms. */
export interface StoredAlert {
  /** UUIDv7 of `createdAt`. */
  id: string;
  checkId: string;
  checkType: CheckType;
  /** The check's name at that time. */
  name: string;
  alertType: AlertType;
  occasion: AlertOccasion;
  /** Why nobody was told; null where receivers were. */
  withheld: UntoldReason | null;
  runLocation: string | null;
  /** Milliseconds. */
  responseTime: number | null;
  error: string | null;
  statusCode: number | null;
  /** The result that caused it; null of a heartbeat or a certificate. */
  resultId: string | null;
  /** When the run that caused it began. */
  startedAt: number;
  createdAt: number;
}
