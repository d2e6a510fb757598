import { createHash } from 'node:crypto';
import { documentHeaders } from '#main/status-pages/html/frame.ts';
import type { Reply } from '../operation.ts';

interface PublicText {
  text: string;
  /** Content type. */
  type: string;
  /** How long caches may answer it unasked. */
  maxAgeSeconds: number;
  headers?: Readonly<Record<string, string>>;
}

/** A text that is the same for everybody: caches keep it, and ask whether it changed by its tag. */
export function publicReply({ text, type, maxAgeSeconds, headers }: PublicText): Reply {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return {
    headers: {
      'cache-control': `public, max-age=${maxAgeSeconds}`,
      etag: `"${tag}"`,
      ...headers,
    },
    content: { text, type },
  };
}

/** A page, with the policy of pages. @param images the addresses of images elsewhere that it shows */
export function pageReply(
  page: Omit<PublicText, 'type'>,
  images: readonly (string | null)[],
): Reply {
  const headers = { ...documentHeaders(images), ...page.headers };
  return publicReply({ ...page, type: 'text/html; charset=utf-8', headers });
}
