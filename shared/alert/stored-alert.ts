import type { CheckType } from '../check/enums.ts';
import type { AlertOccasion, Withheld } from './alert.ts';
import type { AlertType } from './alert-type.ts';

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
  withheld: Withheld | null;
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
