import { describe, expect, test } from 'vitest';
import { bodyText } from '#workers/http/body-text.ts';
import { cutToBytes, MAX_STORED_TEXT_BYTES, storedBody } from '#workers/http/stored-body.ts';

describe('what is kept of a body', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
  test.each([
    ['text', 'text/plain', Buffer.from('hé'), { body: 'hé', truncated: false }],
    ['nothing', 'text/plain', Buffer.alloc(0), { body: '', truncated: false }],
    ['text without a type', undefined, Buffer.from('x'), { body: 'x', truncated: false }],
    ['bytes without a type', undefined, png, { body: '', truncated: true }],
    [
      'latin1',
      'text/html; charset=ISO-8859-1',
      Buffer.from([0xe9]),
      { body: 'é', truncated: false },
    ],
    ['a PDF', 'application/pdf', Buffer.from('%PDF'), { body: '', truncated: true }],
    ['a stream of bytes', 'application/octet-stream', png, { body: '', truncated: true }],
    ['a sound', 'audio/mpeg', png, { body: '', truncated: true }],
    ['a film', 'video/mp4', png, { body: '', truncated: true }],
    ['an archive', 'application/zip', png, { body: '', truncated: true }],
    [
      'a small image',
      'image/png',
      png,
      { body: png.toString('base64'), truncated: false, bodyEncoding: 'base64' },
    ],
    ['a large image', 'IMAGE/png', Buffer.alloc(51_201), { body: '', truncated: true }],
  ])('of %s', (_what, type, bytes, kept) => {
    expect(storedBody(bytes, type)).toEqual(kept);
  });

  test.each([
    [MAX_STORED_TEXT_BYTES, false],
    [MAX_STORED_TEXT_BYTES + 1, true],
    [10 * MAX_STORED_TEXT_BYTES, true],
  ])('of a text of %i bytes', (length, truncated) => {
    const kept = storedBody(Buffer.alloc(length, 'a'), 'text/plain');
    expect(kept.truncated).toBe(truncated);
    expect(kept.body.length).toBe(MAX_STORED_TEXT_BYTES);
  });

  test('is cut between characters', () => {
    expect(cutToBytes('aü€😀', 10)).toBe('aü€😀');
    expect(cutToBytes('aü€😀', 9)).toBe('aü€');
    expect(cutToBytes('aü€😀', 5)).toBe('aü');
    expect(cutToBytes('aü€😀', 2)).toBe('a');
    expect(cutToBytes('aü€😀', 0)).toBe('');
  });
});

describe('the text of a body', () => {
  test.each([
    ['UTF-8 by default', undefined, [0xc3, 0xbc], 'ü'],
    ['the charset that is named', 'text/plain; charset="windows-1252"', [0x80], '€'],
    ['UTF-8 where the charset is unknown', 'text/plain; charset=klingon', [0xc3, 0xbc], 'ü'],
    ['without its byte order mark', 'application/json', [0xef, 0xbb, 0xbf, 0x7b], '{'],
    ['with broken bytes marked', 'text/plain', [0x61, 0xff], 'a\ufffd'],
  ])('is %s', (_what, type, bytes, text) => {
    expect(bodyText(Buffer.from(bytes), type)).toBe(text);
  });
});
