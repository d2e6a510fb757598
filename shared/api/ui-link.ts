/**
 * A link to a page of the UI, which is one document: the page stands behind `#`.
 * @param baseUrl where the appliance is reached
 * @param page as a path: `/checks/{id}`
 */
export function uiLink(baseUrl: string, page: string): string {
  return `${baseUrl.replace(/\/$/, '')}/#${page}`;
}
