/** The closed set of alert types (specification 2.1), in its order. */
export const ALERT_TYPES = [
  'NO_ALERT',
  'ALERT_FAILURE',
  'ALERT_FAILURE_REMAIN',
  'ALERT_FAILURE_DEGRADED',
  'ALERT_RECOVERY',
  'ALERT_DEGRADED',
  'ALERT_DEGRADED_REMAIN',
  'ALERT_DEGRADED_FAILURE',
  'ALERT_DEGRADED_RECOVERY',
  'ALERT_SSL',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** Where a check stands by its conclusive FINAL runs. */
export const STANDINGS = ['passing', 'degraded', 'failing'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The standings that somebody may have to be told of. */
export type Trouble = Exclude<Standing, 'passing'>;

/**
 * What an alert says of its check: where it stands now, that its certificate ends soon (`expiry`),
 * or nothing that anybody is told.
 */
export type AlertSubject = Standing | 'expiry' | 'nothing';

/** Receivers of alerts class the types in this way. */
export const ALERT_SUBJECTS = {
  NO_ALERT: 'nothing',
  ALERT_FAILURE: 'failing',
  ALERT_FAILURE_REMAIN: 'failing',
  ALERT_FAILURE_DEGRADED: 'degraded',
  ALERT_RECOVERY: 'passing',
  ALERT_DEGRADED: 'degraded',
  ALERT_DEGRADED_REMAIN: 'degraded',
  ALERT_DEGRADED_FAILURE: 'failing',
  ALERT_DEGRADED_RECOVERY: 'passing',
  ALERT_SSL: 'expiry',
} as const satisfies { [T in AlertType]: AlertSubject };
