import type { z } from 'zod';
import type { CheckType } from '#shared/checks/enums.ts';

/** The least body that creates a check of each type. */
export const LEAST_BODIES = {
  API: { name: 'shop', request: { method: 'GET', url: 'https://example.org/' } },
  URL: { name: 'shop', request: { url: 'https://example.org/' } },
  TCP: { name: 'mail', request: { hostname: 'mail.example.org', port: 25 } },
  DNS: { name: 'name', request: { query: 'example.org', recordType: 'A' } },
  ICMP: { name: 'host', request: { hostname: '192.0.2.1' } },
  HEARTBEAT: {
    name: 'backup',
    heartbeat: { period: 1, periodUnit: 'days', grace: 0, graceUnit: 'seconds' },
  },
  BROWSER: { name: 'login', script: 'await page.goto("https://example.org")' },
  MULTI_STEP: { name: 'flow', script: 'await request.get("https://example.org")' },
  PLAYWRIGHT: { name: 'suite', codeBundlePath: 'bundles/1.tgz' },
} satisfies { [T in CheckType]: Record<string, unknown> };

/** What is wrong with a body: each path with its messages; empty where it is sound. */
export function problemsOf(schema: z.ZodType, body: unknown): Record<string, string[]> {
  const { success, error } = schema.safeParse(body);
  if (success) return {};
  const problems: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const place = path.join('.');
    problems[place] = [...(problems[place] ?? []), message];
  }
  return problems;
}

/** A copy of a body with one member, at a path like `request.port`, set or (undefined) removed. */
export function withMember(body: object, path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  const copy: Record<string, unknown> = { ...body };
  const inner = copy[name];
  copy[name] =
    rest.length === 0
      ? value
      : withMember(inner instanceof Object ? inner : {}, rest.join('.'), value);
  if (copy[name] === undefined) delete copy[name];
  return copy;
}
