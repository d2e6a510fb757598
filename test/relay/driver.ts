import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Normaliser } from './normaliser.ts';
import type { Renames } from './renames.ts';

/** The values of a path's parameters, in their order. */
type Values = readonly (string | number)[];

export interface CallOptions {
  at?: Values;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string;
  /** A header of the value null is left out. */
  headers?: Readonly<Record<string, string | null>>;
  as?: 'key' | 'admin' | 'nobody';
}

export interface Answer<T = Record<string, string>> {
  status: number;
  headers: IncomingHttpHeaders;
  json: T;
}

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A read that was answered well, to be done again when the folder is opened once more. */
export interface Read {
  path: string;
  as: CallOptions['as'];
}

export interface Tokens {
  key: string;
  admin: string;
}

const POLL_MS = 20;
const MAX_POLL_MS = 60_000;
/** What the connection, the clock or the body decides. */
const UNKEPT_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'etag',
  'set-cookie',
]);
const POLICY = 'content-security-policy';
/** Pages that tell the same as what is recorded beside them, describe it in words, or tell the time. */
const ELIDED = new Set([
  '/docs',
  '/docs/style.css',
  '/openapi.json',
  '/metrics',
  '/dashboards/all',
  '/app/summary',
  '/trace-viewer/index.html',
]);

/** Sends requests over HTTP and writes down what was asked and answered. */
export class Driver {
  readonly lines: string[] = [];
  readonly reads: Read[] = [];
  /** Operations by the statuses that they answered. */
  readonly statuses = new Map<string, Set<number>>();
  calls = 0;
  readonly #url: string;
  readonly #tokens: Tokens;
  readonly #normaliser: Normaliser;
  readonly #renames: Renames;
  readonly #agent = new Agent({ keepAlive: true });
  /** Headers that every answer is expected to have: those of the first one. */
  #usual: Record<string, string> | undefined;

  constructor(url: string, tokens: Tokens, normaliser: Normaliser, renames: Renames) {
    this.#url = url;
    this.#tokens = tokens;
    this.#normaliser = normaliser;
    this.#renames = renames;
  }

  /** Calls an operation such as `GET /v1/checks/{id}`, and records it. */
  async call<T = Record<string, string>>(
    operation: string,
    options: CallOptions = {},
  ): Promise<Answer<T>> {
    const path = pathOf(operation, options);
    const answer = await this.#send(operation, path, options);
    this.#record(operation, path, options, answer);
    return { ...answer, json: (isJson(answer) ? JSON.parse(answer.text) : {}) as T };
  }

  /** Asks until the answer is as hoped for, and records only that one. */
  async until<T>(operation: string, options: CallOptions, isThere: (json: T) => boolean) {
    const path = pathOf(operation, options);
    const endsAt = Date.now() + MAX_POLL_MS;
    for (;;) {
      const answer = await this.#send(operation, path, options);
      if (isJson(answer) && isThere(JSON.parse(answer.text) as T)) break;
      if (Date.now() > endsAt)
        throw new Error(`${operation} never was as hoped for: ${answer.text.slice(0, 500)}`);
      await pause(POLL_MS);
    }
    return this.call<T>(operation, options);
  }

  /** The text of a page, which is not recorded. */
  async text(path: string, at: Values = []): Promise<string> {
    const filled = pathOf(`GET ${path}`, { at });
    const { status, text } = await this.#send(`GET ${path}`, filled, {});
    this.#count(`GET ${path}`, status);
    return text;
  }

  /** Opens a stream and leaves it at its first bytes; it is not recorded. */
  async stream(operation: string): Promise<void> {
    const stop = new AbortController();
    const answer = await fetch(new URL(pathOf(operation, {}), this.#url), {
      headers: { authorization: `Bearer ${this.#tokens.key}` },
      signal: stop.signal,
    });
    this.#count(operation, answer.status);
    stop.abort();
  }

  /** Where the appliance answers. */
  get url(): string {
    return this.#url;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(operation: string, path: string, options: CallOptions): Promise<RawAnswer> {
    const { body, raw = body === undefined ? undefined : JSON.stringify(body) } = options;
    const { as = 'key', headers = {} } = options;
    const sent = {
      'user-agent': 'recorder',
      ...(as !== 'nobody' && { authorization: `Bearer ${this.#tokens[as]}` }),
      ...(raw !== undefined && { 'content-type': 'application/json' }),
      ...(raw !== undefined && { 'content-length': String(Buffer.byteLength(raw)) }),
      ...headers,
    };
    const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
    const asked = request(
      new URL(this.#renames.toOld(path), this.#url),
      {
        method: operation.split(' ')[0] ?? '',
        headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
        agent: this.#agent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: got } = response;
          resolve({ status, headers: got, text: Buffer.concat(chunks).toString('utf8') });
        });
      },
    );
    asked.on('error', reject);
    asked.end(raw);
    return promise;
  }

  #record(operation: string, path: string, options: CallOptions, answer: RawAnswer): void {
    const { status } = answer;
    const { as = 'key', headers = {}, body } = options;
    this.calls += 1;
    this.#count(operation, status);
    if (operation.startsWith('GET /v') || operation.startsWith('GET /app')) {
      if (status === 200) this.reads.push({ path, as });
    }
    // The answer comes first, as it may show what of the request is a random value.
    const answered = this.#bodyOf(path, answer);
    const asked = this.#normaliser.text(`${operation.split(' ')[0]} ${path}`);
    this.lines.push(
      `=== ${asked}${as === 'key' ? '' : ` (as ${as})`}`,
      ...Object.entries(headers).map(
        ([name, value]) => `> ${name}: ${this.#normaliser.text(value ?? 'none')}`,
      ),
      ...(body === undefined ? [] : [`> ${JSON.stringify(this.#normaliser.json(body))}`]),
      `< ${status}`,
      ...this.#headerLines(path === '/docs' ? this.#withUsualPolicy(answer) : answer.headers),
      ...answered,
      '',
    );
  }

  #count(operation: string, status: number): void {
    this.statuses.set(operation, (this.statuses.get(operation) ?? new Set()).add(status));
  }

  /** The API page has a policy of its own, as it runs scripts. */
  #withUsualPolicy({ headers }: RawAnswer): IncomingHttpHeaders {
    return { ...headers, [POLICY]: this.#usual?.[POLICY] };
  }

  /** Headers that differ from the usual ones, and those of these that are missing. */
  #headerLines(headers: IncomingHttpHeaders): string[] {
    const kept = Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !UNKEPT_HEADERS.has(name))
        .map(([name, value]) => [name, this.#headerValue(name, String(value))]),
    );
    const usual = this.#usual ?? {};
    this.#usual ??= kept;
    const missing = Object.keys(usual).filter((name) => !(name in kept));
    return [
      ...Object.entries(kept)
        .filter(([name, value]) => usual[name] !== value)
        .map(([name, value]) => `< ${name}: ${value}`),
      ...missing.map((name) => `< no ${name}`),
    ];
  }

  #headerValue(name: string, value: string): string {
    return name === 'retry-after' ? '<seconds>' : this.#normaliser.text(value);
  }

  #bodyOf(path: string, answer: RawAnswer): string[] {
    if (answer.text === '') return [];
    if (ELIDED.has(path) || /^\/status(?:\/|$)/.test(path)) return ['(a page)'];
    if (!isJson(answer)) return [this.#normaliser.text(answer.text)];
    const json: unknown = JSON.parse(answer.text);
    const isCompact = JSON.stringify(json) === answer.text;
    const shown = JSON.stringify(this.#normaliser.json(json), null, 1);
    return [...(isCompact ? [] : ['(not as JSON.stringify writes it)']), shown];
  }
}

function isJson({ headers, text }: RawAnswer): boolean {
  return text !== '' && /json/.test(headers['content-type'] ?? '');
}

function pathOf(operation: string, { at = [], query = {} }: CallOptions): string {
  const values = [...at];
  const [, template = ''] = operation.split(' ');
  const path = template.replaceAll(/\{\w+\+?\}/g, (name) => {
    const value = values.shift();
    if (value === undefined) throw new Error(`${operation} was given no ${name}`);
    return encodeURIComponent(value);
  });
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
