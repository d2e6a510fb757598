/** `fetch` of a realm: the runner makes the request, and the answer comes back as text. */
export function makeHttp({ P, ask }) {
  const waiting = new Map();
  let lastCall = 0;

  const send = (request) =>
    new Promise((resolve, reject) => {
      const call = String(++lastCall);
      ask('fetch', call, P.stringify(request));
      waiting.set(call, { resolve, reject });
    });
  const settle = (call, text) => {
    const waiter = waiting.get(call);
    waiting.delete(call);
    const { response, error } = P.parse(text);
    if (error === undefined) waiter?.resolve(response);
    else waiter?.reject(new P.TypeError(error));
  };
  const fetch = async (input, { method = 'GET', headers, body } = {}) => {
    const url = typeof input === 'object' && 'url' in input ? input.url : input;
    const request = {
      method: String(method).toUpperCase(),
      url: String(url),
      headers: plainHeaders(headers),
      body: bodyText(body),
    };
    const isForm =
      Object.prototype.toString.call(body) !== '[object String]' &&
      body?.constructor?.name === 'URLSearchParams';
    if (isForm)
      request.headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8';
    return makeResponse(await send(request));
  };
  return { settle, send, fetch };
}

/** Header fields as an object with names in lower case. */
export function plainHeaders(headers) {
  if (headers === undefined || headers === null) return {};
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const known = entries.filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    known.map(([name, value]) => [String(name).toLowerCase(), String(value)]),
  );
}

export function bodyText(body) {
  if (body === undefined || body === null) return '';
  return ArrayBuffer.isView(body) ? decodeUtf8(body) : String(body);
}

/** The Headers of a response: reading only. */
export function makeHeaders(fields) {
  const of = (name) => {
    const field = String(name).toLowerCase();
    return Object.hasOwn(fields, field) ? fields[field] : undefined;
  };
  return {
    get: (name) => of(name) ?? null,
    has: (name) => of(name) !== undefined,
    forEach: (task) => {
      for (const [name, value] of Object.entries(fields)) task(value, name);
    },
    entries: () => Object.entries(fields).values(),
    keys: () => Object.keys(fields).values(),
    values: () => Object.values(fields).values(),
    [Symbol.iterator]: () => Object.entries(fields).values(),
  };
}

export function makeResponse({ status, statusText, headers, body, url }) {
  return {
    status,
    statusText,
    url,
    ok: status >= 200 && status < 300,
    headers: makeHeaders(headers),
    text: async () => body,
    json: async () => JSON.parse(body),
    arrayBuffer: async () => new TextEncoder().encode(body).buffer,
  };
}
