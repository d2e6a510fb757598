import { SESSION_SECONDS } from '#main/services/page-sessions.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';

/** Each page has a name of its own: a slug may go to another page. */
function nameOf({ id }: Pick<StatusPage, 'id'>): string {
  return `watchpost-page-${id}`;
}

/** The session of a page in the `Cookie` header of a request. */
export function sessionIn(
  header: string | undefined,
  page: Pick<StatusPage, 'id'>,
): string | undefined {
  const start = `${nameOf(page)}=`;
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/**
 * The `Set-Cookie` header that begins a session. Scripts do not see it, and other sites do not send it along with
 * their forms. Without a path of its own it holds for the folder of the form, which is the page.
 */
export function sessionCookie(
  page: Pick<StatusPage, 'id'>,
  session: string,
  { isSecure }: { isSecure: boolean },
): string {
  const parts = [`${nameOf(page)}=${session}`, `Max-Age=${SESSION_SECONDS}`];
  return [...parts, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ');
}
