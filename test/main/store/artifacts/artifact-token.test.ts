import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { artifactUrls } from '#main/store/artifacts/artifact-links.ts';
import {
  artifactToken,
  linksExpireAt,
  readArtifactToken,
} from '#main/store/artifacts/artifact-token.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 15, 12, 34);
const key = Buffer.alloc(32, 1);
const signing = { key, baseUrl: 'https://w.test', expiresAt: linksExpireAt(NOW) };
const ofCheck = { checkId: randomUUID(), resultId: randomUUID() };
const ofTest = { sessionId: randomUUID(), resultId: randomUUID() };

test.each([ofCheck, ofTest])('a token opens what it was made for, and ends', (of) => {
  const token = artifactToken(of, signing) ?? '';
  expect(token).toMatch(/^[\w-]{94,96}$/);
  expect(readArtifactToken(token, key, NOW)).toEqual(of);
  expect(readArtifactToken(token, key, NOW + 12 * HOUR)).toEqual(of);
  expect(readArtifactToken(token, key, NOW + 13 * HOUR)).toBeNull();
});

test('links that are made within an hour are the same', () => {
  const at = (now: number) => artifactUrls(ofCheck, { ...signing, expiresAt: linksExpireAt(now) });
  expect(at(NOW)('a')).toBe(at(NOW + HOUR / 4)('a'));
  expect(at(NOW)('a')).not.toBe(at(NOW + HOUR)('a'));
});

test('a token that differs in any bit, or in its length, opens nothing', () => {
  const token = Buffer.from(artifactToken(ofCheck, signing) ?? '', 'base64url');
  for (let bit = 0; bit < token.length * 8; bit++) {
    const other = Buffer.from(token);
    other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(readArtifactToken(other.toString('base64url'), key, NOW)).toBeNull();
  }
  const others = [token.subarray(1), token.subarray(0, -1), Buffer.concat([token, token])];
  for (const other of others) {
    expect(readArtifactToken(other.toString('base64url'), key, NOW)).toBeNull();
  }
});

test.each(['', 'no token', '%00', 'é'.repeat(200)])('%j opens nothing', (token) => {
  expect(readArtifactToken(token, key, NOW)).toBeNull();
});

test('another appliance takes no token of ours', () => {
  const token = artifactToken(ofCheck, signing) ?? '';
  expect(readArtifactToken(token, Buffer.alloc(32, 2), NOW)).toBeNull();
});

test('whatever a name holds stays within its link', () => {
  const urlOf = artifactUrls(ofCheck, signing);
  const path = (name: string) => new URL(urlOf(name) ?? '').pathname.split('/').slice(3).join('/');
  expect(path('report/index.html')).toBe('report/index.html');
  expect(path('a b?c#d%2F"<>.png')).toBe('a%20b%3Fc%23d%252F%22%3C%3E.png');
  expect(path('\uD800')).toBe('%EF%BF%BD');
});
