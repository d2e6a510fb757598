import { shellWords } from './shell-words.ts';

/** What somebody pasted, as a check: what is missing in it gets the defaults of its type. */
export interface PastedCheck {
  checkType: 'URL' | 'API';
  name: string;
  request: Record<string, unknown>;
}

export type PasteProblem = 'empty' | 'unreadable' | 'noUrl' | 'needsFile';
export type Pasted =
  | { check: PastedCheck; problem?: undefined }
  | { check?: undefined; problem: PasteProblem };

/** Reads a URL, or a `curl` command as browsers copy them. */
export function pastedCheck(text: string): Pasted {
  const line = text.trim().replace(/^\$\s+/, '');
  if (line === '') return { problem: 'empty' };
  return /^curl(\.exe)?\s/.test(line) ? fromCommand(line) : fromUrl(line);
}

const HTTP = { followRedirects: true, skipSSL: false, ipFamily: 'IPv4', assertions: [] };

function fromUrl(line: string): Pasted {
  const url = httpUrlOf(line);
  if (url === undefined) return { problem: 'unreadable' };
  const request = { ...HTTP, method: 'GET', url };
  return { check: { checkType: 'URL', name: nameOf(url), request } };
}

/** What is on this machine mostly speaks without TLS. */
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/?#]|$)/i;

/** With its scheme, which people leave out; a host of one word is one only where it has a scheme. */
function httpUrlOf(written: string): string | undefined {
  if (/\s/.test(written)) return undefined;
  const hasScheme = /^[a-z][\w+.-]*:\/\//i.test(written);
  const url = hasScheme ? written : `${LOCAL.test(written) ? 'http' : 'https'}://${written}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  const isHost = hostname.includes('.') || hostname.includes(':') || hostname === 'localhost';
  return /^https?:$/.test(protocol) && (hasScheme || isHost) ? url : undefined;
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 200);
}

interface Command {
  urls: string[];
  method?: string;
  headers: { key: string; value: string; locked: boolean }[];
  data: string[];
  isJson: boolean;
  isInQuery: boolean;
  user?: string;
  isInsecure: boolean;
  follows: boolean;
  isIPv6: boolean;
}

type Take = (command: Command, value: string) => void;

const header =
  (key: string): Take =>
  (command, value) =>
    void command.headers.push({ key, value, locked: false });
const data: Take = (command, value) => void command.data.push(value);

/** The options that take a value, and what it means; those that mean nothing here are passed over. */
const VALUED: Readonly<Record<string, Take>> = {
  request: (command, value) => {
    command.method = value.toUpperCase();
  },
  header: (command, value) => {
    const [, key = '', rest = ''] = /^([^:;]+)[:;]\s*([\s\S]*)$/.exec(value) ?? [];
    if (key !== '') header(key.trim())(command, rest);
  },
  data,
  'data-raw': data,
  'data-binary': data,
  'data-ascii': data,
  'data-urlencode': (command, value) => {
    const [, name = '', rest = value] = /^([^=@]*)=([\s\S]*)$/.exec(value) ?? [];
    command.data.push(`${name === '' ? '' : `${name}=`}${encodeURIComponent(rest)}`);
  },
  json: (command, value) => {
    command.data.push(value);
    command.isJson = true;
  },
  user: (command, value) => {
    command.user = value;
  },
  url: (command, value) => void command.urls.push(value),
  'user-agent': header('user-agent'),
  referer: header('referer'),
  cookie: header('cookie'),
};

const FLAGS: Readonly<Record<string, (command: Command) => void>> = {
  insecure: (command) => {
    command.isInsecure = true;
  },
  location: (command) => {
    command.follows = true;
  },
  get: (command) => {
    command.isInQuery = true;
  },
  head: (command) => {
    command.method = 'HEAD';
  },
  ipv6: (command) => {
    command.isIPv6 = true;
  },
};

const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  k: 'insecure',
  L: 'location',
  G: 'get',
  I: 'head',
  6: 'ipv6',
};

/** Options of other meanings that take a value, which is no URL. */
const PASSED_OVER = new Set(
  'output max-time connect-timeout write-out retry retry-delay retry-max-time proxy proxy-user cacert capath cert key resolve connect-to max-redirs limit-rate interface dump-header cookie-jar config range ciphers tls-max form form-string upload-file o m w x E D c K r y Y z C F T'.split(
    ' ',
  ),
);

function fromCommand(line: string): Pasted {
  const words = shellWords(line.replaceAll(/\^\r?\n/g, ' '));
  if (words === null) return { problem: 'unreadable' };
  const command = commandOf(words.slice(1));
  const [written] = command.urls;
  const url = written === undefined ? undefined : httpUrlOf(written);
  if (url === undefined) return { problem: 'noUrl' };
  if (command.data.some((part) => part.startsWith('@'))) return { problem: 'needsFile' };
  return { check: { checkType: 'API', name: nameOf(url), request: requestOf(command, url) } };
}

function commandOf(words: readonly string[]): Command {
  const command: Command = {
    ...{ urls: [], headers: [], data: [] },
    ...{ isJson: false, isInQuery: false, isInsecure: false, follows: false, isIPv6: false },
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word.startsWith('--')) long(word.slice(2), command, rest);
    else if (/^-./.test(word)) short(word.slice(1), command, rest);
    else command.urls.push(word);
  }
  return command;
}

function long(option: string, command: Command, rest: string[]): void {
  const [name = '', written] = option.split(/=(.*)/s);
  const take = VALUED[name];
  if (take !== undefined) take(command, written ?? rest.shift() ?? '');
  else if (PASSED_OVER.has(name)) rest.shift();
  else FLAGS[name]?.(command);
}

/** Several in one word, such as `-sSLk`; the value of one follows it, or is the next word. */
function short(letters: string, command: Command, rest: string[]): void {
  for (const [index, letter] of [...letters].entries()) {
    const name = SHORT[letter] ?? letter;
    const value = letters.slice(index + 1);
    if (VALUED[name] !== undefined || PASSED_OVER.has(letter)) {
      VALUED[name]?.(command, value === '' ? (rest.shift() ?? '') : value);
      if (VALUED[name] === undefined && value === '') rest.shift();
      return;
    }
    FLAGS[name]?.(command);
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH'];

function requestOf(command: Command, url: string): Record<string, unknown> {
  const { isInQuery, isIPv6, isInsecure, follows, user } = command;
  const body = isInQuery ? '' : command.data.join('&');
  const query = isInQuery ? command.data.join('&') : '';
  const asked = command.method ?? (body === '' ? 'GET' : 'POST');
  return {
    ...HTTP,
    method: METHODS.includes(asked) ? asked : 'GET',
    url: query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
    followRedirects: follows,
    skipSSL: isInsecure,
    ipFamily: isIPv6 ? 'IPv6' : 'IPv4',
    headers: command.headers,
    queryParameters: [],
    bodyType: body === '' ? 'NONE' : bodyTypeOf(command, body),
    body,
    ...(user !== undefined && { basicAuth: basicAuthOf(user) }),
  };
}

/** What a body is, by what the command says of it, else by how it looks. */
function bodyTypeOf({ isJson, headers }: Command, body: string): string {
  const type = headers.find(({ key }) => key.toLowerCase() === 'content-type')?.value;
  if (isJson || /\bjson\b/i.test(type ?? '')) return 'JSON';
  if (type === undefined) return /^\s*[[{]/.test(body) ? 'JSON' : 'FORM';
  return /^application\/x-www-form-urlencoded\b/i.test(type) ? 'FORM' : 'RAW';
}

function basicAuthOf(user: string): { username: string; password: string } {
  const [username = '', password = ''] = user.split(/:(.*)/s);
  return { username, password };
}
