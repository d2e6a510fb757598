import { describe, expect, it } from 'vitest';
import { sslAlertAfter, sslDaysRemaining } from '#shared/alerting/ssl.ts';
import {
  initialSslState,
  MAX_CERTIFICATES,
  type SslState,
  sslState,
} from '#shared/alerting/ssl-state.ts';

const DAY = 86_400_000;
const NOT_AFTER = Date.parse('2026-06-30T00:00:00Z');
const HEARD = { muted: false, silenced: false };

/** A certificate of which so many days remain. */
const remaining = (days: number, domain = 'shop.example', notAfter = NOT_AFTER) => ({
  domain,
  notAfter,
  at: notAfter - days * DAY,
});

/** The thresholds said on each observation, in order. */
function saidAfter(
  seen: readonly ReturnType<typeof remaining>[],
  thresholds: readonly number[],
  state: SslState = initialSslState,
): number[][] {
  let known = state;
  return seen.map((certificate) => {
    const decision = sslAlertAfter(known, certificate, thresholds, HEARD);
    known = sslState.parse(JSON.parse(JSON.stringify(decision.state)));
    return decision.alert?.thresholds ?? [];
  });
}

describe('a certificate that ends soon', () => {
  it('is said once for each threshold, when the days remaining fall to it', () => {
    const days = [31, 30, 29, 15, 14, 14, 2];
    expect(
      saidAfter(
        days.map((n) => remaining(n)),
        [30, 14, 14],
      ),
    ).toEqual([[], [30], [], [], [14], [], []]);
  });

  it('that is met late is said once for all the thresholds that it has passed', () => {
    expect(saidAfter([remaining(5), remaining(4)], [30, 14, 7, 1])).toEqual([[7, 14, 30], []]);
  });

  it('that has ended is said too', () => {
    const { alert } = sslAlertAfter(initialSslState, remaining(-2), [7], HEARD);
    expect(alert).toEqual({
      type: 'ALERT_SSL',
      domain: 'shop.example',
      daysRemaining: -2,
      thresholds: [7],
    });
  });

  it('is said again when a channel sets a threshold that it has passed already', () => {
    const { state } = sslAlertAfter(initialSslState, remaining(10), [14], HEARD);
    expect(saidAfter([remaining(10), remaining(9)], [20], state)).toEqual([[20], []]);
  });

  it('is said of nobody who does not want to know', () => {
    expect(saidAfter([remaining(1)], [])).toEqual([[]]);
  });
});

describe('another certificate', () => {
  const renewed = NOT_AFTER + 90 * DAY;

  it('of the same domain begins anew', () => {
    const seen = [remaining(10), remaining(80, 'shop.example', renewed)];
    const later = remaining(30, 'shop.example', renewed);
    expect(saidAfter([...seen, later], [30])).toEqual([[30], [], [30]]);
  });

  it('that takes turns with the old one does not make that one said again', () => {
    const old = remaining(10);
    const young = remaining(20, 'shop.example', renewed);
    expect(saidAfter([old, young, old, young, old], [30])).toEqual([[30], [30], [], [], []]);
  });

  it('of another domain is another', () => {
    expect(saidAfter([remaining(10), remaining(10, 'api.example')], [30])).toEqual([[30], [30]]);
  });

  it('is remembered up to a bound, the latest', () => {
    let state = initialSslState;
    for (let n = 0; n < 3 * MAX_CERTIFICATES; n += 1) {
      ({ state } = sslAlertAfter(state, remaining(1, `${n}.example`), [30], HEARD));
    }
    expect(state.announced.map(({ domain }) => domain)).toEqual(
      Array.from({ length: MAX_CERTIFICATES }, (_, n) => `${2 * MAX_CERTIFICATES + n}.example`),
    );
  });
});

it.each([{ muted: true }, { silenced: true }])('while %o it waits, and is said after', (quiet) => {
  const { state, alert } = sslAlertAfter(initialSslState, remaining(10), [30], {
    ...HEARD,
    ...quiet,
  });
  expect(alert).toBe(null);
  expect(saidAfter([remaining(9)], [30], state)).toEqual([[30]]);
});

it.each([
  [30 * DAY, 30],
  [30 * DAY - 1, 29],
  [DAY - 1, 0],
  [-1, -1],
])('%i ms before its end %i whole days remain', (ms, days) => {
  expect(sslDaysRemaining({ notAfter: NOT_AFTER, at: NOT_AFTER - ms })).toBe(days);
});
