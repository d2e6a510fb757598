import type { Assertion, Comparison } from '#shared/checks/blocks.ts';
import type { ResultDetails } from './details.ts';

const MAX_OFFERED = 60;
const MAX_DEPTH = 5;
/** Longer lists are judged by their first items. */
const MAX_ITEMS = 3;
const MAX_CHARS = 200;
/** Longer bodies are not looked into: somebody waits for the page. */
const MAX_BODY = 500_000;

/** Assertions that hold for what a run found, likely ones first, to choose from. */
export function offeredAssertions(details: ResultDetails): Assertion[] {
  const { apiCheckResult, tcpCheckResult, dnsCheckResult, icmpCheckResult } = details;
  const { response: http } = apiCheckResult ?? {};
  const offered: Assertion[] = [];
  if (http !== undefined && http.status > 0) {
    offered.push(assertion('STATUS_CODE', '', 'EQUALS', http.status));
    offered.push(...leaves('JSON_BODY', parsed(http.body)), ...headers(http.headers ?? {}));
  }
  const data = tcpCheckResult?.response?.data?.trim();
  if (data) offered.push(assertion('RESPONSE_DATA', '', 'CONTAINS', data.slice(0, MAX_CHARS)));
  const dns = dnsCheckResult?.response;
  if (dns) {
    offered.push(assertion('RESPONSE_CODE', '', 'EQUALS', dns.returnCode));
    offered.push(...leaves('JSON_ANSWER', dns.json));
  }
  const latency = icmpCheckResult?.response?.latency;
  if (latency) {
    const generous = Math.max(1, Math.ceil(latency.avg * 3));
    offered.push(assertion('LATENCY', 'avg', 'LESS_THAN', generous));
  }
  return offered.slice(0, MAX_OFFERED);
}

function assertion(
  source: string,
  property: string,
  comparison: Comparison,
  target: unknown,
): Assertion {
  return { source, property, comparison, target: String(target), regex: '' };
}

/** Headers that are others with every response are of no use. */
const CHANGING =
  /^(date|age|etag|expires|last-modified|set-cookie|content-length|cf-ray|x-request-id)$/i;

function headers(all: Readonly<Record<string, string | readonly string[]>>): Assertion[] {
  return Object.entries(all)
    .filter(([name, value]) => !CHANGING.test(name) && String(value).length <= MAX_CHARS)
    .map(([name, value]) => assertion('HEADERS', name, 'EQUALS', value));
}

/** The values of a JSON document that are no objects or lists, each with the JSONPath that leads to it. */
function leaves(source: string, value: unknown, path = '$', depth = 0): Assertion[] {
  if (value === undefined || depth > MAX_DEPTH) return [];
  if (value === null) return [assertion(source, path, 'IS_NULL', '')];
  if (Array.isArray(value)) {
    if (value.length === 0) return [assertion(source, path, 'IS_EMPTY', '')];
    return value
      .slice(0, MAX_ITEMS)
      .flatMap((item, index) => leaves(source, item, `${path}[${index}]`, depth + 1));
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .slice(0, MAX_OFFERED)
      .flatMap(([name, inner]) => leaves(source, inner, path + step(name), depth + 1));
  }
  if (String(value).length > MAX_CHARS) return [assertion(source, path, 'NOT_EMPTY', '')];
  return [assertion(source, path, 'EQUALS', value)];
}

/** A name as a JSONPath has it: `.name`, or in brackets where it is more than a word. */
function step(name: string): string {
  if (/^[a-z_]\w*$/i.test(name)) return `.${name}`;
  return `['${name.replaceAll(/['\\]/g, '\\$&')}']`;
}

function parsed(body: string | undefined): unknown {
  if (body === undefined || body.length > MAX_BODY || !/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
