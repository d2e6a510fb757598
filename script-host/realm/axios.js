/** A small axios: its methods, `data`, `headers`, `params`, `auth`, `validateStatus` and errors. */
export function makeAxios(http, { URL }) {
  class AxiosError extends Error {
    name = 'AxiosError';
    isAxiosError = true;
    constructor(message, config, response) {
      super(message);
      this.config = config;
      this.response = response;
    }
  }
  const create = (defaults = {}) => {
    const request = (first, second = {}) =>
      perform(merged(defaults, typeof first === 'string' ? { ...second, url: first } : first));
    const instance = (first, second) => request(first, second);
    const without = (method) => (url, config) => request({ ...config, method, url });
    const withData = (method) => (url, data, config) => request({ ...config, method, url, data });
    const methods = {
      get: without('GET'),
      delete: without('DELETE'),
      head: without('HEAD'),
      options: without('OPTIONS'),
      post: withData('POST'),
      put: withData('PUT'),
      patch: withData('PATCH'),
    };
    const isAxiosError = (error) => error?.isAxiosError === true;
    return Object.assign(instance, methods, {
      request,
      create,
      defaults,
      isAxiosError,
      AxiosError,
    });
  };

  const merged = (defaults, config) => ({
    ...defaults,
    ...config,
    headers: { ...plainHeaders(defaults.headers?.common), ...plainHeaders(config.headers) },
  });

  const perform = async (config) => {
    const request = requestOf(config);
    const answer = await http.send(request);
    const response = { ...answer, data: dataOf(answer, config), config, request: {} };
    const isValid = config.validateStatus ?? ((status) => status >= 200 && status < 300);
    if (isValid && !isValid(response.status)) {
      throw new AxiosError(`Request failed with status code ${response.status}`, config, response);
    }
    return response;
  };

  const requestOf = ({ url = '', baseURL, method = 'GET', params, data, headers, auth }) => {
    const whole = baseURL ? `${baseURL.replace(/\/$/, '')}/${url.replace(/^\//, '')}` : url;
    const target = params ? new URL(whole) : { href: whole };
    for (const [name, value] of Object.entries(params ?? {}))
      target.searchParams.append(name, value);
    const fields = { ...headers };
    if (auth) fields.authorization = `Basic ${btoa(`${auth.username}:${auth.password}`)}`;
    const isForm = typeof data?.getBoundary === 'function';
    const isJson =
      typeof data === 'object' &&
      data !== null &&
      !isForm &&
      data.constructor?.name !== 'URLSearchParams';
    if (isForm) Object.assign(fields, data.getHeaders());
    if (isJson) fields['content-type'] ??= 'application/json';
    else if (data !== undefined) fields['content-type'] ??= 'application/x-www-form-urlencoded';
    const body = isJson ? JSON.stringify(data) : bodyText(data);
    return { method: method.toUpperCase(), url: target.href, headers: fields, body };
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
