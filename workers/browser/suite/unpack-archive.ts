import { open } from 'node:fs/promises';
import { archiveFormat } from '#shared/checks/archive-format.ts';
import { ProjectProblem } from './project-problem.ts';
import { ProjectWriter } from './project-writer.ts';
import { unpackTar } from './unpack-tar.ts';
import { unpackZip } from './unpack-zip.ts';

/**
 * Unpacks the archive of a project into a folder that is empty.
 *
 * @throws ProjectProblem where it is damaged, or holds what no project may
 */
export async function unpackArchive(path: string, root: string): Promise<void> {
  const { head, bytes } = await lookAt(path);
  const writer = new ProjectWriter(root, bytes);
  try {
    const format = archiveFormat(head);
    if (format === null) throw new ProjectProblem('The archive is no tar.gz, tar or zip.');
    await (format === 'zip' ? unpackZip(path, writer) : unpackTar(path, format, writer));
    await writer.finish();
  } catch (error) {
    throw readable(error);
  }
}

const HEAD_BYTES = 512;

async function lookAt(path: string) {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES));
  return { head: buffer.subarray(0, bytesRead), bytes: (await file.stat()).size };
}

/** What the system refused is a fault of ours; all else that is thrown comes of what is in the archive. */
function readable(error: unknown): unknown {
  if (error instanceof ProjectProblem || !(error instanceof Error) || 'syscall' in error)
    return error;
  return new ProjectProblem(`The archive is damaged: ${error.message}.`, { cause: error });
}
