import type { StatusPage } from './status-page.ts';

/**
 * Where readers find a page, without a slash at its end: at its own domain, or else below the appliance.
 * @param baseUrl of the appliance, without a slash at its end
 */
export function pageAddress(
  { url, customDomain }: Pick<StatusPage, 'url' | 'customDomain'>,
  baseUrl: string,
): string {
  return customDomain === null ? `${baseUrl}/status/${url}` : `https://${customDomain}`;
}
