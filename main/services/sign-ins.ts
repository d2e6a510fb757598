import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { RateLimiter } from '#main/platform/rate-limiter.ts';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import type { SignIn } from '#shared/sign-ins/sign-in.ts';
import { findKey } from './keys.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, tooMany } from './service-error.ts';

interface SignInParts extends Pick<ServiceParts, 'clock' | 'mutex'> {
  configuration: Pick<ServiceParts['configuration'], 'keys' | 'signIns'>;
  /** Signs access tokens, so that they outlive a restart. */
  signInKey: Buffer;
}

interface Link {
  /** Epoch ms. */
  endsAt: number;
  keyId: string | null;
}

/** How long a browser stays signed in without being used. */
export const SIGN_IN_SECONDS = 30 * 86_400;
/** How long an access token holds: as long as it could be used where somebody got hold of it. */
export const ACCESS_SECONDS = 600;
/** How long the operator's link works. */
export const LINK_SECONDS = 900;

/** Beyond them the one that was used longest ago ends. */
const MAX_SIGN_INS = 100;
const MAX_LINKS = 20;
const WRONG_TRIES_PER_MINUTE = 10;
const MAX_BROWSER = 200;
/** Use is written down this often: not with every request. */
const TOUCH_MS = 3_600_000;
const TOKEN_BYTES = 32;

/**
 * Who is signed in at the interface. A browser keeps a cookie, of which only the hash is stored, and gets access
 * tokens for it, which hold some minutes: they are what it sends to the API.
 */
export class SignIns {
  readonly #parts: SignInParts;
  /** Links that were not used yet, by the hashes of their tokens. */
  readonly #links = new Map<string, Link>();
  readonly #wrongTries = new RateLimiter(WRONG_TRIES_PER_MINUTE);

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** In the order of their beginning. */
  all(): SignIn[] {
    return this.#collection.all().filter((signIn) => this.#isOpen(signIn));
  }

  /** The name of the key that it was begun with; null: the operator's link. */
  keyNameOf({ key_id }: SignIn): string | null {
    return key_id === null ? null : (this.#parts.configuration.keys.get(key_id)?.name ?? null);
  }

  /**
   * Signs a browser in; null where the key or the token is none.
   *
   * @param sender the address that the request came from
   * @returns the sign-in, and what the browser's cookie is to hold, which is known only now
   * @throws ServiceError TOO_MANY
   */
  async begin(
    given: { key: string } | { token: string },
    { sender, browser }: { sender: string; browser: string },
  ): Promise<{ signIn: SignIn; cookie: string } | null> {
    const now = this.#parts.clock.now();
    const waitMs = this.#wrongTries.waitMs(sender, now);
    if (waitMs > 0) throw tooMany('Too many keys were tried', waitMs);
    const keyId = 'key' in given ? this.#keyOf(given.key)?.id : this.#useLink(given.token, now);
    if (keyId === undefined) {
      this.#wrongTries.take(sender, now);
      return null;
    }
    const cookie = randomBytes(TOKEN_BYTES).toString('base64url');
    const at = new Date(now).toISOString();
    const signIn: SignIn = {
      id: randomUUID(),
      hash: sha256(cookie),
      key_id: keyId,
      browser: browser.slice(0, MAX_BROWSER),
      created_at: at,
      used_at: at,
    };
    await this.#parts.mutex('sign-ins', () => this.#add(signIn));
    return { signIn, cookie };
  }

  /**
   * A token that signs one browser in, within {@link LINK_SECONDS}.
   *
   * @param keyId of the key that whoever asks is signed in with, whose end is that of the new sign-in too;
   * null: the operator
   */
  createLink(keyId: string | null): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const [oldest] = this.#links.keys();
    if (this.#links.size >= MAX_LINKS && oldest !== undefined) this.#links.delete(oldest);
    this.#links.set(sha256(token), {
      endsAt: this.#parts.clock.now() + LINK_SECONDS * 1_000,
      keyId,
    });
    return token;
  }

  /** The sign-in of what a cookie holds. */
  ofCookie(cookie: string): SignIn | undefined {
    const hash = sha256(cookie);
    const signIn = this.#collection.all().find((one) => one.hash === hash);
    return signIn && this.#isOpen(signIn) ? signIn : undefined;
  }

  /** What the browser of a sign-in sends to the API for {@link ACCESS_SECONDS}. */
  accessToken({ id }: SignIn): string {
    const expiresAt = Math.floor(this.#parts.clock.now() / 1_000) + ACCESS_SECONDS;
    const content = `${id}.${expiresAt}`;
    return `wpa_${content}.${this.#signature(content)}`;
  }

  /** The sign-in that an access token was made for, while both hold. */
  ofAccessToken(token: string): SignIn | undefined {
    const [, content = '', id = '', seconds, signature = ''] = ACCESS_TOKEN.exec(token) ?? [];
    const endsInMs = Number(seconds) * 1_000 - this.#parts.clock.now();
    // One that ends later than any that is made now was made by another clock.
    if (!(endsInMs > 0 && endsInMs <= ACCESS_SECONDS * 1_000)) return undefined;
    // As texts: the last letter of one stands for some bits only, so that others mean the same.
    const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(this.#signature(content)));
    const signIn = isOurs ? this.#collection.get(id) : undefined;
    return signIn && this.#isOpen(signIn) ? signIn : undefined;
  }

  /** Whether it still holds: asked while a stream of it is open. */
  isOpen(id: string): boolean {
    const signIn = this.#collection.get(id);
    return signIn !== undefined && this.#isOpen(signIn);
  }

  /** It was used: its 30 days begin anew. */
  async touch(signIn: SignIn): Promise<void> {
    const now = this.#parts.clock.now();
    if (now - Date.parse(signIn.used_at) < TOUCH_MS) return;
    await this.#parts.mutex('sign-ins', async () => {
      // It may have ended meanwhile.
      if (this.isOpen(signIn.id)) {
        await this.#collection.put({ ...signIn, used_at: new Date(now).toISOString() });
      }
    });
  }

  /** @throws ServiceError NOT_FOUND */
  async end(id: string): Promise<void> {
    const isEnded = await this.#collection.delete(id);
    if (!isEnded) throw notFound(`No sign-in has the id ${id}`);
  }

  async endAll(): Promise<void> {
    await this.#parts.mutex('sign-ins', async () => {
      for (const { id } of this.#collection.all()) await this.#collection.delete(id);
    });
    this.#links.clear();
  }

  get #collection() {
    return this.#parts.configuration.signIns;
  }

  #keyOf(key: string): ApiKey | undefined {
    return findKey(this.#parts.configuration.keys.all(), key);
  }

  /** A link works once, and no longer than the key of whoever made it. */
  #useLink(token: string, now: number): string | null | undefined {
    const hash = sha256(token);
    const link = this.#links.get(hash);
    this.#links.delete(hash);
    return link && link.endsAt > now && this.#isKeyThere(link.keyId) ? link.keyId : undefined;
  }

  #isKeyThere(keyId: string | null): boolean {
    return keyId === null || this.#parts.configuration.keys.get(keyId) !== undefined;
  }

  /** One whose key was revoked is over at once; what is left of it goes with the next sign-in. */
  #isOpen({ key_id, used_at }: SignIn): boolean {
    return (
      this.#isKeyThere(key_id) &&
      this.#parts.clock.now() - Date.parse(used_at) < SIGN_IN_SECONDS * 1_000
    );
  }

  async #add(signIn: SignIn): Promise<void> {
    const known = this.#collection.all();
    const over = known.filter((one) => !this.#isOpen(one));
    const open = known
      .filter((one) => this.#isOpen(one))
      .toSorted((one, other) => one.used_at.localeCompare(other.used_at));
    const surplus = open.slice(0, Math.max(0, open.length - MAX_SIGN_INS + 1));
    for (const { id } of [...over, ...surplus]) await this.#collection.delete(id);
    await this.#collection.put(signIn);
  }

  #signature(content: string): string {
    return createHmac('sha256', this.#parts.signInKey).update(content).digest('base64url');
  }
}

const ACCESS_TOKEN = /^wpa_(([0-9a-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
