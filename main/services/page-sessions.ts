import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StatusPage } from '#shared/status-pages/status-page.ts';

/** How long a password opens a private page on one device. */
export const SESSION_SECONDS = 30 * 86_400;

type Page = Pick<StatusPage, 'id' | 'passwordHash'>;

/**
 * Says of a text that a browser sends whether its reader once gave the password of a page. Nothing is stored: the
 * text is signed, so that it outlives restarts, and ends with the password that it was given for.
 */
export class PageSessions {
  readonly #key: Buffer;

  /** @param key known to this appliance only */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** What a browser is to send from now on, epoch ms. */
  begin(page: Page, now: number): string {
    const expiresAt = Math.floor(now / 1_000) + SESSION_SECONDS;
    return `${expiresAt}.${this.#signature(page, expiresAt).toString('base64url')}`;
  }

  isOpen(page: Page, session: string | undefined, now: number): boolean {
    const [, seconds, signature = ''] = FORM.exec(session ?? '') ?? [];
    const expiresAt = Number(seconds);
    // One that ends later than any that begins now was made by another clock.
    const isDue = expiresAt * 1_000 > now && expiresAt <= now / 1_000 + SESSION_SECONDS;
    if (!isDue || page.passwordHash === null) return false;
    return timingSafeEqual(Buffer.from(signature, 'base64url'), this.#signature(page, expiresAt));
  }

  #signature({ id, passwordHash }: Page, expiresAt: number): Buffer {
    const signed = JSON.stringify([id, passwordHash, expiresAt]);
    return createHmac('sha256', this.#key).update(signed).digest();
  }
}

const FORM = /^(\d{1,12})\.([\w-]{43})$/;
