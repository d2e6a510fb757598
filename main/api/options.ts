import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** What the operator decides about the API. */
export interface ApiOptions {
  /** Host names, beside addresses and `localhost`, that requests may be addressed to. */
  allowedHosts: readonly string[];
  /** The host that the server listens on. */
  host: string;
  /** Requests a minute that one key, or one address without a key, may make. */
  rateLimitPerMinute: number;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` and `-Proto` are believed. */
  trustedProxies: readonly string[];
  /** Bytes of a request body, before and after decompression; 5 MiB by default. */
  bodyLimitBytes?: number;
  /** Where clients reach the appliance, for ping URLs; null: where the request came to. */
  publicUrl: string | null;
  /** Guards `/app/keys`; known only to processes that can read the data folder. */
  adminToken: string;
  log: ApiLog;
  /** Where other parts add metrics to those of `/metrics`. */
  registry?: Registry;
}

export type ApiLog = Pick<Logger, 'error' | 'warn'>;

export const DEFAULT_BODY_LIMIT_BYTES = 5 * 1024 * 1024;
