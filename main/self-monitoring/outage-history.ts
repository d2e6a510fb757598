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

/** Blindness is noticed a while after it began; after its end, what was held up takes a while. */
const MOMENT_MS = 20_000;
/** Most times of blindness that are remembered. */
const MAX_REMEMBERED = 100;

/** Whether a time is one of blindness, or a moment before or after it. */
export function isNear({ since, until }: Omit<EndedOutage, 'reasons'>, { from, to }: Span) {
  return to >= since - MOMENT_MS && from <= until + MOMENT_MS;
}

/** The times of blindness that are over. */
export class OutageHistory {
  /** The oldest first. */
  #ended: readonly EndedOutage[] = [];

  /** @param until epoch ms: when the monitor saw again */
  note({ reasons, since }: Outage, until: number): void {
    this.#ended = [...this.#ended, { reasons, since, until }].slice(-MAX_REMEMBERED);
  }

  /** Why a run says nothing that began before the end of the last blindness; empty for any other. */
  reasonsAt(startedAt: number): readonly OfflineReason[] {
    const last = this.#ended.at(-1);
    return last !== undefined && startedAt <= last.until ? last.reasons : [];
  }

  touches(span: Span): boolean {
    return this.#ended.some((outage) => isNear(outage, span));
  }
}
