/**
 * The `Content-Range` of a page: `0-24/57` is first, last and total. A page without
 * entries names the total only.
 */
export function contentRange(first: number, length: number, total: number): string {
  return length === 0 ? `*/${total}` : `${first}-${first + length - 1}/${total}`;
}
