/** A small axios: its methods, defaults, `params`, `auth`, `timeout`, `maxRedirects` and errors. */
export function makeAxios(http, { URL }, { AbortSignal }) {
  class AxiosError extends Error {
    name = 'AxiosError';
    isAxiosError = true;
    constructor(message, code, config, response) {
      super(message);
      Object.assign(this, { code, config, response });
    }
  }
  const METHODS = ['get', 'delete', 'head', 'options', 'post', 'put', 'patch'];
  const WITH_DATA = ['post', 'put', 'patch'];

  const create = (given = {}) => {
    const defaults = { ...given, headers: { common: {}, ...given.headers } };
    for (const method of METHODS) defaults.headers[method] ??= {};
    const request = (first, second = {}) =>
      perform(merged(defaults, typeof first === 'string' ? { ...second, url: first } : first));
    const instance = (first, second) => request(first, second);
    const methods = METHODS.map((method) => [
      method,
      WITH_DATA.includes(method)
        ? (url, data, config) => request({ ...config, method, url, data })
        : (url, config) => request({ ...config, method, url }),
    ]);
    const isAxiosError = (error) => error?.isAxiosError === true;
    const members = { request, create, defaults, isAxiosError, AxiosError };
    return Object.assign(instance, Object.fromEntries(methods), members);
  };

  /** Headers for all methods, for this one, of the instance and of the request, the last winning. */
  const merged = (defaults, config) => {
    const method = String(config.method ?? defaults.method ?? 'get').toLowerCase();
    const { common, ...others } = defaults.headers;
    const own = Object.entries(others).filter(([name]) => !METHODS.includes(name));
    const parts = [common, others[method], Object.fromEntries(own), config.headers];
    const headers = Object.assign({}, ...parts.map(plainHeaders));
    return { ...defaults, ...config, method, headers };
  };

  const perform = async (config) => {
    const request = requestOf(config);
    if (config.signal?.aborted) throw canceled(config);
    const answer = await withinTime(http.send(request), config);
    const response = { ...answer, data: dataOf(answer, config), config, request: {} };
    const isValid = config.validateStatus ?? ((status) => status >= 200 && status < 300);
    if (isValid && !isValid(response.status)) {
      const code = response.status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
      const message = `Request failed with status code ${response.status}`;
      throw new AxiosError(message, code, config, response);
    }
    return response;
  };

  const canceled = (config) => new AxiosError('canceled', 'ERR_CANCELED', config);
  const withinTime = async (sent, config) => {
    const { timeout, signal } = config;
    const late = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
    try {
      return await unlessAborted(unlessAborted(sent, signal), late);
    } catch (error) {
      if (late?.aborted && error === late.reason) {
        throw new AxiosError(`timeout of ${timeout}ms exceeded`, 'ECONNABORTED', config);
      }
      if (signal?.aborted) throw canceled(config);
      throw error;
    }
  };

  const requestOf = ({ url = '', baseURL, method, params, data, headers, auth, maxRedirects }) => {
    const fields = { ...headers };
    if (auth) {
      const credentials = unescape(encodeURIComponent(`${auth.username}:${auth.password}`));
      fields.authorization = `Basic ${btoa(credentials)}`;
    }
    const isForm = typeof data?.getBoundary === 'function';
    const isText =
      isForm || ArrayBuffer.isView(data) || data?.constructor?.name === 'URLSearchParams';
    const isJson = typeof data === 'object' && data !== null && !isText;
    if (isForm) Object.assign(fields, data.getHeaders());
    if (isJson) fields['content-type'] ??= 'application/json';
    else if (data !== undefined) fields['content-type'] ??= 'application/x-www-form-urlencoded';
    return {
      method: method.toUpperCase(),
      url: withParams(whole(url, baseURL), params),
      headers: fields,
      body: isJson ? JSON.stringify(data) : bodyText(data),
      followRedirects: maxRedirects !== 0,
    };
  };

  const whole = (url, baseURL) =>
    !baseURL || /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(url)
      ? url
      : `${baseURL.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;

  const withParams = (url, params) => {
    if (params === undefined || params === null) return url;
    const target = new URL(url);
    for (const [name, value] of pairsOf(params)) target.searchParams.append(name, value);
    return target.href;
  };
  /** Lists as `name[]`, times in ISO 8601, objects as JSON; what is missing is left out. */
  const pairsOf = (params) => {
    if (Symbol.iterator in params) return [...params];
    return Object.entries(params).flatMap(([name, value]) => {
      const items = Array.isArray(value) ? value : [value];
      const key = Array.isArray(value) ? `${name}[]` : name;
      return items
        .filter((item) => item !== undefined && item !== null)
        .map((item) => [key, paramText(item)]);
    });
  };
  const paramText = (value) => {
    if (value instanceof Date) return value.toISOString();
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };

  const dataOf = ({ body }, { responseType }) => {
    if (responseType === 'text') return body;
    try {
      return JSON.parse(body);
    } catch {
      return body;
    }
  };
  return Object.assign(create(), { default: create() });
}
