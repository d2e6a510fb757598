import { SEGMENTS, type ShownCheck } from '#renderer/api/answers.ts';

/** Members that the appliance gives a check. */
const OWN = new Set([
  'id',
  'checkType',
  'created_at',
  'updated_at',
  'alertChannels',
  'projectBindings',
  'setupScriptDependencies',
  'tearDownScriptDependencies',
  'intent',
]);

/** A check as it can be created again. What is secret in it is not known here. */
export function bodyOf(check: ShownCheck): Record<string, unknown> {
  const members = Object.entries(check).filter(([name, value]) => !OWN.has(name) && value !== null);
  const body: Record<string, unknown> = Object.fromEntries(members);
  if (check.checkType !== 'HEARTBEAT') return body;
  const { period, periodUnit, grace, graceUnit } = check.heartbeat;
  return { ...body, heartbeat: { period, periodUnit, grace, graceUnit } };
}

/** Whether something of it is not shown, and not copied. */
export function hasSecrets(check: ShownCheck): boolean {
  return (
    'environmentVariables' in check &&
    (check.environmentVariables ?? []).some(({ secret }) => secret)
  );
}

/** Creates the check anywhere: a command for shells. */
export function creatingCommand(check: ShownCheck, origin: string): string {
  const url = `${origin}/v1/checks/${SEGMENTS[check.checkType]}`;
  return [
    `curl -sS -X POST ${quoted(url)}`,
    `-H "Authorization: Bearer $KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(bodyOf(check)))}`,
  ].join(' \\\n  ');
}

/** Sends what an API or URL check sends; undefined of other types. */
export function requestCommand(check: ShownCheck): string | undefined {
  if (check.checkType !== 'API' && check.checkType !== 'URL') return undefined;
  const { request } = check;
  const parts = [`curl -sS -i -X ${request.method} ${quoted(addressOf(request))}`];
  if (request.followRedirects) parts.push('-L');
  if (request.skipSSL) parts.push('-k');
  parts.push(request.ipFamily === 'IPv6' ? '-6' : '-4');
  if (!('headers' in request)) return parts.join(' \\\n  ');
  const type = CONTENT_TYPES[request.bodyType];
  const isTyped = request.headers.some(({ key }) => key.toLowerCase() === 'content-type');
  parts.push(...request.headers.map(({ key, value }) => `-H ${quoted(`${key}: ${value ?? ''}`)}`));
  if (request.basicAuth?.username) parts.push(`-u ${quoted(`${request.basicAuth.username}:`)}`);
  if (request.bodyType !== 'NONE' && request.body !== '') {
    if (type !== undefined && !isTyped) parts.push(`-H ${quoted(`content-type: ${type}`)}`);
    parts.push(`--data-raw ${quoted(request.body)}`);
  }
  return parts.join(' \\\n  ');
}

const CONTENT_TYPES: Readonly<Record<string, string | undefined>> = {
  JSON: 'application/json',
  GRAPHQL: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
};

interface Addressed {
  url: string;
  queryParameters?: readonly { key: string; value?: string | null }[];
}

function addressOf({ url, queryParameters = [] }: Addressed): string {
  const query = new URLSearchParams(
    queryParameters.map(({ key, value }): [string, string] => [key, value ?? '']),
  ).toString();
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** For a POSIX shell: nothing in it is read as anything but text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
