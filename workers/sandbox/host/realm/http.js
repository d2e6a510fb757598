/** `fetch` of a realm: the runner makes the request, and the answer comes back as text. */
export function makeHttp(realm, calls) {
  const { P } = realm;
  const send = (request) => calls.begin('fetch', P.stringify(request));
  const fetch = async (input, { method = 'GET', headers, body, redirect, signal } = {}) => {
    if (signal?.aborted) throw signal.reason;
    const url = typeof input === 'object' && 'url' in input ? input.url : input;
    const type = contentTypeOf(body);
    const request = {
      method: String(method).toUpperCase(),
      url: String(url),
      headers: { ...(type && { 'content-type': type }), ...plainHeaders(headers) },
      body: bodyText(body),
      followRedirects: redirect === undefined || redirect === 'follow',
    };
    const answer = await unlessAborted(send(request), signal);
    if (redirect === 'error' && isRedirect(answer)) {
      throw new P.TypeError(`unexpected redirect to ${answer.headers.location}`);
    }
    return makeResponse(answer, realm.load('headers').Headers);
  };
  return { send, fetch };
}

export function isRedirect({ status, headers }) {
  return [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined;
}

/** What `fetch` sends where the script names no content type. */
export function contentTypeOf(body) {
  if (typeof body === 'string') return 'text/plain;charset=UTF-8';
  const isForm =
    Object.prototype.toString.call(body) !== '[object String]' &&
    body?.constructor?.name === 'URLSearchParams';
  return isForm ? 'application/x-www-form-urlencoded;charset=UTF-8' : null;
}

export function bodyText(body) {
  if (body === undefined || body === null) return '';
  const bytes = bytesOf(body);
  return bytes === null ? String(body) : decodeUtf8(bytes);
}

export function makeResponse({ status, statusText, headers, body, url }, Headers) {
  return {
    status,
    statusText,
    url,
    ok: status >= 200 && status < 300,
    headers: new Headers(headers),
    text: async () => body,
    json: async () => JSON.parse(body),
    arrayBuffer: async () => new TextEncoder().encode(body).buffer,
  };
}
