import { z } from 'zod';
import { CHECKSUM_HEADER, type CodeBundle } from '#main/services/code-bundles.ts';
import { refuseProblems } from '#main/services/service-error.ts';
import { keyOfArchive } from '#shared/checks/project-source.ts';
import { KEY, operation } from '../operation.ts';

const tag = 'Checks';

const codeBundleView = z.object({
  /** What `codeBundlePath` of a Playwright check names it by. */
  key: z.string(),
  versionID: z.string(),
  lastModified: z.iso.datetime(),
  /** Bytes. */
  contentLength: z.number(),
  /** Hexadecimal. */
  checksumSha256: z.string(),
});

const uploadCodeBundle = operation({
  id: 'uploadCodeBundle',
  method: 'post',
  path: '/next/checkly-storage/upload-code-bundle',
  tag,
  summary: 'Upload the archive of a Playwright project',
  description: `A tar.gz, tar or zip of at most 100 MiB, whose \`key\` is then the \`codeBundlePath\` of checks. The header \`${CHECKSUM_HEADER}\` may have the SHA-256 of the body in hexadecimal, which is compared. An archive that no check names is removed after a day.`,
  access: KEY,
  upload: true,
  status: 200,
  response: codeBundleView,
  failures: [409, 503],
  handle: async ({ upload, header }, { codeBundles }) => {
    const bundle = await codeBundles.upload(upload, {
      bytes: Number(header('content-length') ?? 0),
      sha256: checksumOf(header(CHECKSUM_HEADER)),
    });
    return { content: { json: view(bundle) } };
  },
});

const peekCodeBundle = operation({
  id: 'peekCodeBundle',
  method: 'post',
  path: '/next/checkly-storage/peek-code-bundle',
  tag,
  summary: 'Ask whether an archive was uploaded',
  description: '404 where it was not. One that is there stays for a day from now on.',
  access: KEY,
  body: { schema: z.object({ key: z.string().min(1).max(1_000) }) },
  status: 200,
  response: codeBundleView,
  failures: [404],
  handle: async ({ body: { key } }, { codeBundles }) => ({
    content: { json: view(await codeBundles.find(key)) },
  }),
});

function checksumOf(header: string | undefined): string | undefined {
  const checksum = header?.trim().toLowerCase() || undefined;
  const isHash = checksum === undefined || /^[0-9a-f]{64}$/.test(checksum);
  const problem = { path: CHECKSUM_HEADER, message: 'expected a SHA-256 in hexadecimal' };
  refuseProblems({ source: 'headers', problems: isHash ? [] : [problem] });
  return checksum;
}

/** Archives are never changed: the hash is their version. */
function view({ sha256, bytes, usedAt }: CodeBundle) {
  return {
    key: keyOfArchive(sha256),
    versionID: sha256,
    lastModified: new Date(usedAt).toISOString(),
    contentLength: bytes,
    checksumSha256: sha256,
  };
}

export const codeBundleOperations = [uploadCodeBundle, peekCodeBundle];
