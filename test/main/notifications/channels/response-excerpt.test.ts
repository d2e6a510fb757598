import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { responseExcerpt } from '#main/notifications/channels/response-excerpt.ts';

const SECRET = 'p/ä & "w"';

describe('of what a receiver answers', () => {
  test.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in a form', new URLSearchParams({ x: SECRET }).toString().slice(2)],
    ['in capitals', SECRET.toUpperCase()],
    ['in HTML', 'p/ä &amp; &quot;w&quot;'],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 of URLs', Buffer.from(SECRET).toString('base64url')],
  ])('a secret is hidden %s', (_, form) => {
    expect(responseExcerpt(`<${form}> <${form}>`, ['none', SECRET])).toBe('<***> <***>');
  });

  test.each([
    ['the longer of two that begin alike', 'say token-12', ['token', 'token-12'], 'say ***'],
    ['none that says nothing', 'no key is here', ['', 'is'], 'no key is here'],
    ['one that is all of it', 'token', ['token'], '***'],
    ['two that overlap', '<abcdefgh>', ['abcde', 'defgh'], '<***>'],
    ['one that overlaps itself', '<aaaa>', ['aaa'], '<***>'],
    ['half of a character', `${'x'.repeat(999)}\u{1F600}`, [], 'x'.repeat(999)],
  ])('%s', (_, answer, secrets, kept) => {
    expect(responseExcerpt(answer, secrets)).toBe(kept);
  });

  test('the first 1,000 characters are kept', () => {
    expect(responseExcerpt('ab'.repeat(32_000), [])).toBe('ab'.repeat(500));
  });

  const secret = fc.string({ minLength: 8, maxLength: 700, unit: fc.constantFrom('a', 'b', '/') });
  const piece = fc.oneof(
    fc.nat(3).map((index) => ({ index })),
    fc.nat(900),
  );

  test('no part of a secret that would be cut in two stays, whatever was hidden before it', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.array(piece, { maxLength: 8 }),
        (secrets, pieces) => {
          // Each text between secrets is of what no secret has.
          const answer = pieces
            .map((one) =>
              typeof one === 'number' ? '.'.repeat(one) : `.${secrets[one.index] ?? ''}.`,
            )
            .join('');
          expect(responseExcerpt(answer, secrets)).toMatch(/^[.*]*$/);
          expect(responseExcerpt(answer, secrets).length).toBeLessThanOrEqual(1_000);
        },
      ),
    );
  });
});
