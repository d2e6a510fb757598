/** A small axios: its methods, defaults, `params`, `auth`, `timeout`, `maxRedirects` and errors. */
export function makeAxios(
  http,
  { URL, URLSearchParams },
  { AbortController },
  { setTimeout, clearTimeout },
) {
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
    const late = new AbortController();
    // A timer that stays would keep a script waiting that nothing else can wake.
    const timer = timeout > 0 ? setTimeout(() => late.abort(), timeout) : undefined;
    try {
      return await unlessAborted(unlessAborted(sent, signal), late.signal);
    } catch (error) {
      if (late.signal.aborted && error === late.signal.reason) {
        throw new AxiosError(`timeout of ${timeout}ms exceeded`, 'ECONNABORTED', config);
      }
      if (signal?.aborted) throw canceled(config);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const requestOf = ({ url = '', baseURL, method, params, data, headers, auth, maxRedirects }) => {
    const fields = { ...headers };
    if (auth) {
      const credentials = unescape(encodeURIComponent(`${auth.username}:${auth.password}`));
      fields.authorization = `Basic ${btoa(credentials)}`;
    }
    const isForm = typeof data?.getBoundary === 'function';
    if (isForm) Object.assign(fields, data.getHeaders());
    else if (isData(data)) fields['content-type'] ??= 'application/json';
    else if (data !== undefined) fields['content-type'] ??= FORM_TYPE;
    return {
      method: method.toUpperCase(),
      url: withParams(whole(url, baseURL), params),
      headers: fields,
      body: isData(data) ? dataText(data, fields['content-type']) : bodyText(data),
      followRedirects: maxRedirects !== 0,
    };
  };

  const FORM_TYPE = 'application/x-www-form-urlencoded';
  /** Whether it is an object that is none of the bodies that have a text of their own. */
  const isData = (data) =>
    typeof data === 'object' &&
    data !== null &&
    bytesOf(data) === null &&
    typeof data.getBoundary !== 'function' &&
    data.constructor?.name !== 'URLSearchParams';
  /** As the content type wants it; like axios, JSON under every type that is no form. */
  const dataText = (data, type) => {
    if (type.includes('multipart/form-data')) {
      throw new TypeError('axios of scripts sends multipart/form-data from form-data only');
    }
    if (!type.includes(FORM_TYPE)) return JSON.stringify(data);
    return new URLSearchParams(formPairs(data)).toString();
  };
  /** Lists of plain values as `name[]`, what is nested deeper as `name[0][member]`, like axios. */
  const formPairs = (data) =>
    Object.entries(data).flatMap(([name, value]) =>
      Array.isArray(value) && value.every(isPlain)
        ? pairsOf({ [name]: value })
        : nestedPairs(name, value),
    );
  const nestedPairs = (name, value) => {
    if (value === undefined || value === null) return [];
    if (isPlain(value)) return [[name, paramText(value)]];
    return Object.entries(value).flatMap(([key, item]) => nestedPairs(`${name}[${key}]`, item));
  };
  const isPlain = (value) => typeof value !== 'object' || value === null || value instanceof Date;

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
  const axios = create();
  return Object.assign(axios, { default: axios });
}
