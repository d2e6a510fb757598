import { accessToken } from './access.ts';
import { lostConnection } from './connection.ts';
import type { Endpoints } from './endpoints.ts';
import { ApiProblem, problemOf } from './problem.ts';

export type Endpoint = keyof Endpoints;
export type Answer<E extends Endpoint> = Endpoints[E]['answer'];
type Part<E extends Endpoint, K extends string> =
  Endpoints[E] extends Record<K, infer T> ? T : never;

/** What a request takes beside its endpoint: only what the endpoint has. */
export type Asked<E extends Endpoint> = ([Part<E, 'params'>] extends [never]
  ? { params?: undefined }
  : { params: Record<Part<E, 'params'> & string, string | number> }) &
  ([Part<E, 'query'>] extends [never] ? { query?: undefined } : { query?: Part<E, 'query'> }) &
  ([Part<E, 'body'>] extends [never] ? { body?: undefined } : { body: Part<E, 'body'> }) & {
    signal?: AbortSignal | undefined;
  };

/**
 * Calls the API, such as `api('GET /v1/checks/{id}', { params: { id } })`. Where the sign-in has ended, the
 * request waits until somebody signs in again, and is then sent.
 *
 * @throws ApiProblem with the words of the appliance; of status 0 where no answer came
 */
export async function api<E extends Endpoint>(
  endpoint: E,
  asked: Asked<E> = {} as Asked<E>,
): Promise<Answer<E>> {
  const sent = asked as AnyAsked;
  const { signal } = sent;
  const token = await accessToken(signal);
  let response = await send(endpoint, sent, token);
  if (response.status === 401) {
    response = await send(endpoint, sent, await accessToken(signal, token));
  }
  if (!response.ok) throw await problemOf(response);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return (isJson ? await response.json() : null) as Answer<E>;
}

interface AnyAsked {
  params?: Record<string, string | number> | undefined;
  query?: object | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

async function send(endpoint: string, asked: AnyAsked, token: string): Promise<Response> {
  const { params, query, body, signal } = asked;
  const [method = 'GET', template = ''] = endpoint.split(' ');
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  try {
    return await fetch(pathOf(template, params) + queryText(query), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    lostConnection();
    throw new ApiProblem(0, error instanceof Error ? error.message : String(error));
  }
}

function pathOf(template: string, params: AnyAsked['params'] = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
}

/** Members that are undefined are left out; a list repeats its name. */
function queryText(query: object = {}): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
  return parameters.size === 0 ? '' : `?${parameters}`;
}
