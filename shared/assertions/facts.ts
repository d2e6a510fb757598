import type { CheckOf } from '#shared/checks/check.ts';

/** The check types whose runs are judged by assertions. */
export type AssertedType = 'API' | 'URL' | 'TCP' | 'DNS' | 'ICMP';

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

interface FactsByType {
  API: HttpFacts;
  URL: HttpFacts;
  TCP: TcpFacts;
  DNS: DnsFacts;
  ICMP: IcmpFacts;
}

/** The facts that assertions of a check type look at. */
export type FactsOf<T extends AssertedType> = FactsByType[T];

/** The sources of a check type: those its schema accepts. */
export type SourceOf<T extends AssertedType> =
  CheckOf<T>['request']['assertions'][number]['source'];
