import type { CheckOf } from '#shared/checks/check.ts';
import type { RunnableCheckType } from '#shared/checks/enums.ts';

interface WithAssertions {
  request: { assertions: readonly { source: string }[] };
}

/** The check types whose runs are judged by assertions: those whose schema has some. */
export type AssertedType = {
  [T in RunnableCheckType]: CheckOf<T> extends WithAssertions ? T : never;
}[RunnableCheckType];

/** What an HTTP exchange gave: header names in lower case, `body` '' where there was none. */
export interface HttpFacts {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds. */
  responseTime: number;
}

/** What a TCP exchange gave: `data` is the peer's reply as text, '' where there was none. */
export interface TcpFacts {
  data: string;
  /** Milliseconds. */
  responseTime: number;
}

/** What a name server answered: its answer as dig-like text and as a JSON document. */
export interface DnsFacts {
  /** `NOERROR`, `NXDOMAIN`, … */
  responseCode: string;
  /** Milliseconds. */
  responseTime: number;
  textAnswer: string;
  jsonAnswer: unknown;
}

/** What a series of echoes gave. A latency is null where no echo came back. */
export interface IcmpFacts {
  /** Milliseconds. */
  latency: {
    avg: number | null;
    min: number | null;
    max: number | null;
    stdDev: number | null;
  };
  jsonResponse: unknown;
}

/** The sources of a check type: those its schema accepts. */
export type SourceOf<T extends AssertedType> =
  CheckOf<T>['request']['assertions'][number]['source'];
