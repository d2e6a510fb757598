/**
 * The addresses of the pages of a browser check's run, in their order; null where one is unknown.
 *
 * @param detail JSON text as results keep it
 */
export function pageUrlsOf(detail: string): (string | null)[] {
  const { browserCheckResult } = JSON.parse(detail) as {
    browserCheckResult?: { pages?: { url?: unknown }[] };
  };
  const urls = browserCheckResult?.pages?.map(({ url }) => url) ?? [];
  return urls.map((url) => (typeof url === 'string' ? url : null));
}
