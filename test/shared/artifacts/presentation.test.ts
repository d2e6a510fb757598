import { describe, expect, test } from 'vitest';
import { ARTIFACT_TYPES, type ArtifactType } from '#shared/artifacts/artifact.ts';
import { presentationOf } from '#shared/artifacts/presentation.ts';

const of = (type: ArtifactType, name: string, contentType: string) =>
  presentationOf({ type, name, contentType });

describe('an artifact in a browser', () => {
  test.each([
    ['screenshot', 'image/png', 'inline'],
    ['screenshot', 'image/jpeg', 'inline'],
    ['video', 'video/webm', 'inline'],
    ['report', 'text/html', 'inline'],
    ['report', 'image/png', 'inline'],
    ['report', 'image/svg+xml', 'attachment'],
    ['report', 'text/javascript', 'attachment'],
    ['file', 'text/html', 'attachment'],
    ['screenshot', 'text/html', 'attachment'],
    ['file', 'image/svg+xml', 'attachment'],
    ['file', 'application/pdf', 'attachment'],
    ['file', 'application/xhtml+xml', 'attachment'],
    ['log', 'text/plain', 'attachment'],
    ['trace', 'application/zip', 'attachment'],
  ] as const)('of type %s that is %s is an %s', (type, contentType, disposition) => {
    const headers = of(type, 'a', contentType);
    expect(headers['content-disposition']?.split(';')[0]).toBe(disposition);
  });

  test.each(ARTIFACT_TYPES)('of type %s runs no script of our origin', (type) => {
    for (const contentType of ['text/html', 'image/svg+xml', 'image/png', 'text/xml']) {
      const headers = of(type, 'a', contentType);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(
        /^sandbox(?: allow-scripts allow-popups allow-downloads)?; default-src 'none'/,
      );
      expect(policy).not.toContain('allow-same-origin');
      expect(headers['x-content-type-options']).toBe('nosniff');
      const mayRun = type === 'report' && contentType === 'text/html';
      expect(policy.includes('allow-scripts')).toBe(mayRun);
    }
  });

  test.each([
    ['text/plain\r\nset-cookie: a=b', 'application/octet-stream'],
    ['text/html; charset=x', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['image/png', 'image/png'],
  ])('whose type is said to be %j has the type %s', (contentType, expected) => {
    expect(of('file', 'a', contentType)['content-type']).toBe(expected);
  });

  test.each([
    ['report/a b.txt', `filename="a b.txt"; filename*=UTF-8''a%20b.txt`],
    ['a"; x="y.txt', `filename="a__ x=_y.txt"; filename*=UTF-8''a%22%3B%20x%3D%22y.txt`],
    ["it's (1)*.txt", `filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    ['ü\n.txt', `filename="__.txt"; filename*=UTF-8''%C3%BC%0A.txt`],
    ['\uD800.txt', `filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ])('named %j is saved as %s', (name, expected) => {
    expect(of('file', name, 'text/plain')['content-disposition']).toBe(`attachment; ${expected}`);
  });
});
