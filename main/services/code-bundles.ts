import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { Log } from '#main/platform/log.ts';
import type { CodeBundle, CodeBundleStore } from '#main/store/code-bundles/code-bundle-store.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { InputSource } from '#shared/api/errors.ts';
import { archiveFormat } from '#shared/checks/archive-format.ts';
import { projectSource } from '#shared/checks/project-source.ts';
import type { Clock } from '#shared/clock.ts';
import { conflict, notFound, refuseProblems, ServiceError, tooMany } from './service-error.ts';

export type { CodeBundle };

export interface CodeBundleParts {
  configuration: Pick<Configuration, 'checks'>;
  bundles: CodeBundleStore;
  /** Absolute paths of folders below which projects may be. */
  projectFolders: readonly string[];
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

/** What a client says of an archive that it uploads. */
interface UploadClaims {
  bytes?: number | undefined;
  /** Hexadecimal. */
  sha256?: string | undefined;
}

const MEBIBYTE = 1024 ** 2;
/** Of one archive, and of all. */
export const MAX_BUNDLE_BYTES = 100 * MEBIBYTE;
export const MAX_ALL_BYTES = 2_048 * MEBIBYTE;
/** Uploads that may be under way at once: they are not counted before they are stored. */
const MAX_UPLOADS = 4;
const RETRY_MS = 1_000;

/** Archives that no check names stay for so long after they were uploaded or named last. */
const UNNAMED_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;

/** Where the projects of Playwright checks are: uploaded archives, and folders that the operator allowed. */
export class CodeBundles {
  readonly #parts: CodeBundleParts;
  #uploads = 0;

  constructor(parts: CodeBundleParts) {
    this.#parts = parts;
  }

  /**
   * Stores an archive as it arrives.
   *
   * @throws ServiceError TOO_LARGE; INVALID where it is no archive, or other bytes than were claimed; CONFLICT
   *   where there is no room for it beside the others; TOO_MANY
   */
  async upload(chunks: AsyncIterable<Uint8Array>, claims: UploadClaims): Promise<CodeBundle> {
    refuseLarge(claims.bytes ?? 0);
    if (this.#uploads >= MAX_UPLOADS) {
      throw tooMany(`${this.#uploads} archives are being uploaded already`, RETRY_MS);
    }
    this.#uploads++;
    try {
      return await this.#receive(bounded(chunks), claims);
    } finally {
      this.#uploads--;
    }
  }

  /** An archive that is there; it stays for a day from now on. @throws ServiceError NOT_FOUND */
  async find(key: string): Promise<CodeBundle> {
    const source = projectSource(key);
    const found = source.kind === 'archive' ? await this.#use(source.sha256) : null;
    if (found === null) throw notFound('No archive has this key: upload it first.');
    return found;
  }

  /** Refuses a project that is not there. @throws ServiceError INVALID */
  async refuseUnknown(codeBundlePath: string): Promise<void> {
    const message = await this.#problemOf(codeBundlePath);
    if (message !== null) refuse('payload', 'codeBundlePath', message);
  }

  /** Removes archives that nobody needs, now and every hour. The answer ends it. */
  startSweeping(): () => void {
    const { bundles, clock, log } = this.#parts;
    let timer: unknown;
    let isOver = false;
    const sweep = async () => {
      try {
        await this.sweep();
      } catch (err) {
        log.warn({ err }, 'Archives of Playwright projects could not be removed.');
      }
      if (!isOver) timer = clock.setTimeout(sweep, SWEEP_MS);
    };
    void bundles.removeArriving().then(sweep, sweep);
    return () => {
      isOver = true;
      clock.clearTimeout(timer);
    };
  }

  /** Removes the archives that no check names and that were neither uploaded nor named for a day. */
  async sweep(): Promise<void> {
    const { bundles, configuration, clock } = this.#parts;
    const before = clock.now() - UNNAMED_MS;
    const old = (await bundles.list()).filter(({ usedAt }) => usedAt < before);
    const named = new Set(configuration.checks.all().map(archiveOf));
    for (const { sha256 } of old) if (!named.has(sha256)) await bundles.remove(sha256);
  }

  async #receive(chunks: AsyncIterable<Uint8Array>, claims: UploadClaims): Promise<CodeBundle> {
    const { bundles, clock } = this.#parts;
    const arrived = await bundles.receive(chunks);
    try {
      const { sha256, bytes, head } = arrived;
      if (claims.sha256 !== undefined && claims.sha256 !== sha256) {
        refuse('headers', CHECKSUM_HEADER, `expected the hash of the body, ${sha256}`);
      }
      if (archiveFormat(head) === null) {
        refuse('payload', 'body', 'expected an archive: tar.gz, tar or zip');
      }
      await this.#refuseFull(sha256, bytes);
      const kept = await arrived.keep();
      await bundles.use(sha256, clock.now());
      return { ...kept, usedAt: clock.now() };
    } finally {
      await arrived.discard();
    }
  }

  /** @throws ServiceError CONFLICT */
  async #refuseFull(sha256: string, bytes: number): Promise<void> {
    const others = (await this.#parts.bundles.list()).filter((one) => one.sha256 !== sha256);
    const used = others.reduce((sum, one) => sum + one.bytes, 0);
    if (used + bytes <= MAX_ALL_BYTES) return;
    throw conflict(
      `The ${others.length} archives of projects take ${megabytes(used)} of ${megabytes(MAX_ALL_BYTES)}: delete checks that name some, which are removed a day later.`,
    );
  }

  async #use(sha256: string): Promise<CodeBundle | null> {
    const { bundles, clock } = this.#parts;
    await bundles.use(sha256, clock.now());
    return bundles.find(sha256);
  }

  async #problemOf(codeBundlePath: string): Promise<string | null> {
    const source = projectSource(codeBundlePath);
    switch (source.kind) {
      case 'archive':
        return (await this.#use(source.sha256)) ? null : 'no such archive was uploaded';
      case 'folder':
        return folderProblem(source.path, this.#parts.projectFolders);
      case 'unknown':
        return 'expected the key of an uploaded archive, or the absolute path of a folder';
    }
  }
}

/** The header that claims the hash of an upload. */
export const CHECKSUM_HEADER = 'x-bundle-checksum-sha256';

function archiveOf(check: object): string | undefined {
  const { codeBundlePath } = check as { codeBundlePath?: string };
  const source = codeBundlePath === undefined ? null : projectSource(codeBundlePath);
  return source?.kind === 'archive' ? source.sha256 : undefined;
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    refuseLarge(bytes);
    yield chunk;
  }
}

function refuseLarge(bytes: number): void {
  if (bytes <= MAX_BUNDLE_BYTES) return;
  throw new ServiceError('TOO_LARGE', `An archive may have ${megabytes(MAX_BUNDLE_BYTES)} at most`);
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / MEBIBYTE)} MiB`;

function refuse(source: InputSource, path: string, message: string): void {
  refuseProblems({ source, problems: [{ path, message }] });
}

/** Why a folder cannot be a project, as it is now and wherever links lead; null where it can. */
async function folderProblem(path: string, allowed: readonly string[]): Promise<string | null> {
  if (allowed.length === 0) return 'no folder is allowed: see WATCHPOST_PLAYWRIGHT_FOLDERS';
  const folders = await Promise.all(allowed.map(realPath));
  const folder = await realPath(path);
  // What is not allowed is refused in the same words whether it is there or not.
  if (folder === null || !folders.some((one) => one !== null && isWithin(one, folder))) {
    return 'expected a folder that is there, in one that WATCHPOST_PLAYWRIGHT_FOLDERS names';
  }
  return (await stat(folder)).isDirectory() ? null : 'expected a folder, got a file';
}

/** Null where it cannot be read. */
async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`));
}
