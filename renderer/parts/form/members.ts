/** The body of a request as it is typed. */
export type Members = Readonly<Record<string, unknown>>;

/** What stands at a dotted path, such as `request.headers.0.key`; undefined where nothing does. */
export function memberAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) ? (value as Members)[name] : undefined),
      body,
    );
}

/** A copy with another value at a path; objects on the way to it are made where they are missing. */
export function withMember<T>(body: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  const next = rest.length === 0 ? value : withMember(at(body, name), rest.join('.'), value);
  if (Array.isArray(body)) return body.with(Number(name), next) as T;
  return { ...(isObject(body) ? body : {}), [name]: next } as T;
}

/** The members of a body that are others than before; one that is undefined now is not among them. */
export function changedMembers(before: Members, now: Members): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => value !== undefined && !isSame(value, before[name]),
    ),
  );
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function at(value: unknown, name: string): unknown {
  return isObject(value) ? (value as Members)[name] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
