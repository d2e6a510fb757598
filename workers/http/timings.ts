import type { Marks } from '../net/dial.ts';
import { toMicroseconds } from '../net/milliseconds.ts';

/** What each part of a run took, in milliseconds. The TLS handshake is in `firstByte`. */
export type TimingPhases = {
  wait: number;
  dns: number;
  tcp: number;
  firstByte: number;
  download: number;
  total: number;
};

/** When each part was over, in milliseconds since the start. */
export interface Timings {
  socket: number;
  lookup: number;
  connect: number;
  response: number;
  end: number;
}

/**
 * The phases of one exchange that is over. Time spent in a part that never ended counts to that
 * part, the ones after it took none.
 *
 * @param from reading of `performance.now()` that `wait` counts from
 */
export function phasesOf(marks: Marks, from: number): TimingPhases {
  const end = marks.endedAt ?? performance.now();
  const lookup = marks.lookedUpAt ?? end;
  const connect = marks.connectedAt ?? end;
  const response = marks.respondedAt ?? end;
  return {
    wait: marks.startedAt - from,
    dns: lookup - marks.startedAt,
    tcp: connect - lookup,
    firstByte: response - connect,
    download: end - response,
    total: end - from,
  };
}

export const NO_PHASES: TimingPhases = Object.freeze({
  wait: 0,
  dns: 0,
  tcp: 0,
  firstByte: 0,
  download: 0,
  total: 0,
});

/** The phases of two exchanges, one after the other. */
export function addPhases(one: TimingPhases, other: TimingPhases): TimingPhases {
  return {
    wait: one.wait + other.wait,
    dns: one.dns + other.dns,
    tcp: one.tcp + other.tcp,
    firstByte: one.firstByte + other.firstByte,
    download: one.download + other.download,
    total: one.total + other.total,
  };
}

/** Phases to the microsecond. */
export function roundPhases(phases: TimingPhases): TimingPhases {
  return {
    wait: toMicroseconds(phases.wait),
    dns: toMicroseconds(phases.dns),
    tcp: toMicroseconds(phases.tcp),
    firstByte: toMicroseconds(phases.firstByte),
    download: toMicroseconds(phases.download),
    total: toMicroseconds(phases.total),
  };
}

/** The points in time that go with phases: over several exchanges, as if each phase came once. */
export function timingsOf({ wait, dns, tcp, firstByte, total }: TimingPhases): Timings {
  return {
    socket: toMicroseconds(wait),
    lookup: toMicroseconds(wait + dns),
    connect: toMicroseconds(wait + dns + tcp),
    response: toMicroseconds(wait + dns + tcp + firstByte),
    end: toMicroseconds(total),
  };
}
