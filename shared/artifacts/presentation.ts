import type { RunArtifact } from './artifact.ts';

/** What a browser may show beside our pages: it runs nothing that is in it. */
const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'video/webm']);

const CONTENT_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** Of all but reports: whatever it is, it loads and runs nothing. */
const NOTHING = "sandbox; default-src 'none'";

/**
 * Of the HTML of reports: their scripts run, in an origin of their own without any of our pages, cookies or
 * storage, and load nothing from elsewhere. What they open is in the same sandbox.
 */
const REPORT = [
  'sandbox allow-scripts allow-popups allow-downloads',
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers that an artifact is served with, but for those of its length. */
export function presentationOf({
  type,
  name,
  contentType,
}: Pick<RunArtifact, 'type' | 'name' | 'contentType'>): Record<string, string> {
  const isReport = type === 'report' && contentType === 'text/html';
  const isShown = isReport || SHOWN.has(contentType);
  return {
    'content-type': typeWithCharset(contentType),
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${fileName(name)}`,
    'content-security-policy': isReport ? REPORT : NOTHING,
    'x-content-type-options': 'nosniff',
    // A report is an origin of its own, so its pictures come from another one.
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  };
}

/** Runs may have said it themselves: what is no content type is none. */
function typeWithCharset(contentType: string): string {
  if (!CONTENT_TYPE.test(contentType)) return 'application/octet-stream';
  return contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType;
}

/** The last part of a name, as RFC 6266 has it: once for old clients, once as it is. */
function fileName(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1).toWellFormed();
  const plain = own.replaceAll(/[^\x20-\x7e]|["\\%;]/g, '_');
  const escaped = encodeURIComponent(own).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${escaped}`;
}
