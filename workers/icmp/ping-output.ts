/** One echo request of which ping said something. */
export interface Echo {
  /** From 1, in the order of sending. */
  sequence: number;
  /** The ICMP message that came back; null where it could not be told. */
  type: number | null;
  code: number | null;
  /** True for an echo reply. */
  success: boolean;
  /** Milliseconds from request to reply; null without a reply. */
  rttMs: number | null;
  /** TTL or hop limit of the reply; null where ping does not print it. */
  ttl: number | null;
}

/** What a ping program printed, whatever its dialect. */
export interface PingOutput {
  /** Requests sent, by the closing statistics; null where ping was stopped before them. */
  sent: number | null;
  /** At most one for each sequence, ascending; lost requests may be absent. */
  echoes: Echo[];
  /** The first error that a router or host on the way reported, as printed. */
  reportedError: string | null;
}

/** An ICMP echo reply, and its counterpart in ICMPv6. */
export const ECHO_REPLY = {
  IPv4: { type: 0, code: 0 },
  IPv6: { type: 129, code: 0 },
} as const;

/** Collects echoes: a reply replaces an error of the same request, a duplicate changes nothing. */
export class EchoList {
  readonly #bySequence = new Map<number, Echo>();
  reportedError: string | null = null;

  add(echo: Echo): void {
    const known = this.#bySequence.get(echo.sequence);
    if (!known || (echo.success && !known.success)) this.#bySequence.set(echo.sequence, echo);
  }

  addError(text: string): void {
    this.reportedError ??= text;
  }

  sorted(): Echo[] {
    return [...this.#bySequence.values()].sort((a, b) => a.sequence - b.sequence);
  }
}
