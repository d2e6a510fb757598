import type { ScriptRequest } from '#shared/sandbox/script.ts';
import type { HttpCheckRequest, KeyValue } from './request.ts';

/** A request as setup scripts see it (specification 1.1): templates not yet filled in. */
export function requestForScript(ask: HttpCheckRequest): ScriptRequest {
  return {
    method: ask.method,
    url: withQuery(ask.url, ask.queryParameters.map(pairOf)),
    body: ask.bodyType === 'NONE' ? '' : ask.body,
    headers: asRecord(ask.headers),
    queryParameters: asRecord(ask.queryParameters),
  };
}

/** What is asked for once a script has changed the request that it saw. */
export function applyScriptRequest(
  ask: HttpCheckRequest,
  before: ScriptRequest,
  after: ScriptRequest,
): HttpCheckRequest {
  const isNewBody = after.body !== before.body;
  return {
    ...ask,
    method: after.method.toUpperCase(),
    ...targetAfter(ask, before, after),
    headers: changed(ask.headers, before.headers, after.headers, (name) => name.toLowerCase()),
    body: isNewBody ? after.body : ask.body,
    bodyType: isNewBody && ask.bodyType === 'NONE' ? 'RAW' : ask.bodyType,
  };
}

/**
 * URL and parameters after a script. The URL that it saw carries the parameters, so those that are
 * still in it are taken out again, and those that it took out stay out. Changes of
 * `queryParameters` come on top.
 */
function targetAfter(
  { url, queryParameters }: HttpCheckRequest,
  before: ScriptRequest,
  after: ScriptRequest,
): Pick<HttpCheckRequest, 'url' | 'queryParameters'> {
  const changes = (items: readonly KeyValue[]) =>
    changed(items, before.queryParameters, after.queryParameters, (name) => name);
  if (after.url === before.url) return { url, queryParameters: changes(queryParameters) };
  const [, start = '', query = '', hash = ''] = URL_PARTS.exec(after.url) ?? [];
  const pairs = query.slice(1).split('&');
  const kept = queryParameters.filter((item) => {
    const at = pairs.lastIndexOf(pairOf(item));
    if (at !== -1) pairs.splice(at, 1);
    return at !== -1;
  });
  return { url: withQuery(start, pairs) + hash, queryParameters: changes(kept) };
}

const URL_PARTS = /^([^?#]*)(\?[^#]*)?(#.*)?$/s;

function withQuery(url: string, pairs: readonly string[]): string {
  const query = pairs.filter((pair) => pair !== '').join('&');
  if (query === '') return url;
  const [, start = '', own = '', hash = ''] = URL_PARTS.exec(url) ?? [];
  return `${start}${own === '' ? '?' : `${own}&`}${query}${hash}`;
}

/** A parameter as the URL has it; what stands in braces stays readable, to be filled in later. */
function pairOf({ key, value }: KeyValue): string {
  return `${encode(key)}=${value
    .split(/(\{\{[^{}]*\}\})/)
    .map(encodeOutside)
    .join('')}`;
}

function encodeOutside(part: string): string {
  return part.startsWith('{{') ? part : encode(part);
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function asRecord(items: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(items.map(({ key, value }) => [key, value]));
}

/** The items with what a script did to their record: removed, changed and added ones. */
function changed(
  items: readonly KeyValue[],
  before: Record<string, string>,
  after: Record<string, string>,
  nameOf: (key: string) => string,
): KeyValue[] {
  const locked = new Set(items.filter((item) => item.locked).map(({ key }) => nameOf(key)));
  const added = Object.entries(after)
    .filter(([key, value]) => !Object.hasOwn(before, key) || before[key] !== value)
    .map(([key, value]) => ({ key, value, locked: locked.has(nameOf(key)) }));
  const replaced = new Set(added.map(({ key }) => nameOf(key)));
  const kept = items.filter(({ key }) => Object.hasOwn(after, key) && !replaced.has(nameOf(key)));
  return [...kept, ...added];
}
