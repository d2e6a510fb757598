import type { OfflineReason } from '#shared/self-monitoring/connectivity.ts';
import type { Outage } from './connectivity-context.ts';

/** Both in epoch ms. */
interface Span {
  from: number;
  to: number;
}

interface EndedOutage extends Pick<Outage, 'reasons' | 'since'> {
  /** Epoch ms. */
  until: number;
}

/** An outage is noticed a while after it began; after its end, what was held up takes a while. */
const MOMENT_MS = 20_000;
/** Most outages that are remembered. */
const MAX_REMEMBERED = 100;

/** Whether a time is within an outage, or shortly before or after it. */
export function isNear({ since, until }: Omit<EndedOutage, 'reasons'>, { from, to }: Span) {
  return to >= since - MOMENT_MS && from <= until + MOMENT_MS;
}

/** The outages of the appliance that are over. */
export class OutageHistory {
  /** The oldest first. */
  #ended: readonly EndedOutage[] = [];

  /** @param until epoch ms: when the appliance was online again */
  note({ reasons, since }: Outage, until: number): void {
    this.#ended = [...this.#ended, { reasons, since, until }].slice(-MAX_REMEMBERED);
  }

  /** The reasons of the last outage, for a run that began before its end; empty for any other run. */
  reasonsAt(startedAt: number): readonly OfflineReason[] {
    const last = this.#ended.at(-1);
    return last !== undefined && startedAt <= last.until ? last.reasons : [];
  }

  touches(span: Span): boolean {
    return this.#ended.some((outage) => isNear(outage, span));
  }
}
