import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(
  scrypt,
);

/** 16 MB and some 50 ms in a thread of Node's pool. */
const COST = { N: 16_384, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^scrypt\$(\d{1,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22,86})\$([\w-]{43})$/;

/** The salted hash of a password: `scrypt$N$r$p$salt$hash`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password.normalize('NFKC'), salt, HASH_BYTES, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether a password is the one of a hash, in constant time; false of what is no hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = FORM.exec(stored) ?? [];
  if (hash === '') return false;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const bytes = Buffer.from(salt, 'base64url');
  const found = await derive(password.normalize('NFKC'), bytes, HASH_BYTES, cost);
  return timingSafeEqual(found, Buffer.from(hash, 'base64url'));
}
