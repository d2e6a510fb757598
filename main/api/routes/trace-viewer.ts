import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { contentTypeOf } from '#shared/artifacts/content-type.ts';
import { openTo, operation, type Reply } from '../operation.ts';

/** Playwright's own viewer of traces: files that ask nothing of a server. */
const folder = () => new URL('./lib/vite/traceViewer/', import.meta.resolve('playwright-core'));
const PAGE = 'index.html';

/** Names in one folder or the one below, none of which leads out of them. */
const NAME = /^(?:\w[\w.-]*\/)?\w[\w.-]*$/;

const readTraceViewer = operation({
  id: 'readTraceViewer',
  method: 'get',
  path: '/trace-viewer/{file+}',
  tag: 'Check results',
  summary: 'A page that opens traces, and what it loads',
  access: openTo(
    'a program for browsers, the same for everyone: what it opens has a link of its own',
  ),
  internal: true,
  params: z.object({ file: z.array(z.string()).transform((parts) => parts.join('/')) }),
  status: 200,
  response: null,
  handle: ({ params: { file } }) => {
    if (!NAME.test(file)) throw notFound('The viewer of traces has no such file.');
    return file === PAGE ? page() : part(file);
  },
});

async function page(): Promise<Reply> {
  const text = await readFile(new URL(PAGE, folder()), 'utf8');
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const headers = { 'content-security-policy': policyWith(scripts) };
  return { headers, content: { text, type: 'text/html; charset=utf-8' } };
}

function part(file: string): Reply {
  const headers = {
    'content-type': contentTypeOf(file),
    'content-security-policy': policyWith([]),
  };
  const path = fileURLToPath(new URL(file, folder()));
  return { headers, content: { streamed: { path, [Symbol.dispose]() {} } } };
}

/**
 * The viewer loads nothing from elsewhere, be it told to by a link or by a trace: its worker, which loads traces, goes by
 * this as well.
 * @param scripts those that stand in the page itself
 */
function policyWith(scripts: readonly string[]): string {
  const hashes = scripts.map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self' data: blob:",
    "worker-src 'self'",
    // An empty page, before a snapshot is shown.
    "frame-src 'self' data:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const traceViewerOperations = [readTraceViewer];
