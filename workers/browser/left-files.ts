import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { ArtifactType } from '#shared/artifacts/artifact.ts';
import { contentTypeOf } from '#shared/artifacts/content-type.ts';
import type { SpecEventOf } from '#shared/playwright/events.ts';
import type { ScriptRecord } from '#shared/playwright/script-record.ts';
import { titleOf } from '#shared/playwright/verdict.ts';
import type { Mask } from '../masking/mask.ts';
import type { ArtifactWriter } from './artifact-writer.ts';
import { maskedContent } from './masked-content.ts';
import { maskedZip } from './masked-zip.ts';
import { OWN_FOLDER } from './spec/job.ts';

/** Names of what was kept of a run. */
export interface LeftFiles {
  screenshots: string[];
  traces: string[];
  videos: string[];
}

/** Pictures and films that a script saved by itself. */
const MAX_SAVED = 20;
const MAX_DEPTH = 5;
/** Entries of a folder that are looked at. */
const MAX_ENTRIES = 1_000;
/** Where the programs of a run put what they need for a moment. */
const TEMPORARY_FOLDER = 't';

/**
 * Writes what a run left into the artifact store: what belongs to its tests, and pictures and
 * films that the script saved. Traces and texts are masked; a picture may show what it may show.
 *
 * @param inputs paths of the check's own files, which are nothing that the run left
 */
export async function keepLeftFiles(
  folder: string,
  { attachments, tests }: ScriptRecord,
  inputs: ReadonlySet<string>,
  writer: ArtifactWriter,
  mask: Mask,
): Promise<LeftFiles> {
  const keeper = new FileKeeper(folder, writer, mask);
  const titles = new Map(tests.map((test) => [test.id, titleOf(test)]));
  for (const one of attachments) await keeper.attachment(one, titles.get(one.test) ?? '');
  const known = new Set([...inputs, ...attachments.map(({ path }) => path)]);
  const saved = (await picturesIn(folder)).filter((path) => !known.has(path));
  for (const path of saved.slice(0, MAX_SAVED)) {
    await keeper.keep(FILM.test(path) ? 'video' : 'screenshot', path, mask.text(path));
  }
  return keeper.left;
}

class FileKeeper {
  readonly left: LeftFiles = { screenshots: [], traces: [], videos: [] };
  readonly #folder: string;
  readonly #writer: ArtifactWriter;
  readonly #mask: Mask;

  constructor(folder: string, writer: ArtifactWriter, mask: Mask) {
    this.#folder = folder;
    this.#writer = writer;
    this.#mask = mask;
  }

  /** A file that belongs to a test: it stands under the title of that, and is called as the script says. */
  async attachment(
    { name, path, contentType }: SpecEventOf<'attach'>,
    title: string,
  ): Promise<void> {
    const type = typeOfAttachment(name, contentType);
    await this.keep(type, path, nameOfAttachment(name, path, title, this.#mask), contentType);
  }

  async keep(type: ArtifactType, path: string, name: string, contentType = contentTypeOf(name)) {
    const artifact = { type, name, contentType };
    const file = { root: this.#folder, path: join(this.#folder, path) };
    const change = type === 'video' ? undefined : this.#masked;
    const kept = await this.#writer.addFile(artifact, file, change);
    if (kept) this.#listOf(type).push(kept.name);
  }

  readonly #masked = (content: Buffer): Promise<Buffer> =>
    content.subarray(0, ZIP_START.length).equals(ZIP_START)
      ? maskedZip(content, this.#mask)
      : maskedContent(content, this.#mask);

  #listOf(type: ArtifactType): string[] {
    if (type === 'trace') return this.left.traces;
    return type === 'video' ? this.left.videos : this.left.screenshots;
  }
}

/** What an archive begins with. */
const ZIP_START = Buffer.from('PK\x03\x04');

/** What Playwright attaches by itself, in files that it names alike for all tests. */
const OWN_NAMES = ['screenshot', 'trace', 'video'];

/**
 * What a file of a test is called: it stands under the title of that, and is called as the script says.
 * Playwright makes the names of files out of titles, in which a secret is not told any more.
 */
export function nameOfAttachment(name: string, path: string, title: string, mask: Mask): string {
  const own = OWN_NAMES.includes(name) ? basename(path) : withExtension(name, path);
  const shown = [title, own].map((part) => mask.text(part).replaceAll('/', '-'));
  return shown.map((part) => part.slice(0, 100)).join('/');
}

/** What the script calls it, with the end that its file has. */
function withExtension(name: string, path: string): string {
  const extension = extname(path);
  return extname(name) === extension ? name : name + extension;
}

/** What a file is that belongs to a test. */
export function typeOfAttachment(name: string, contentType: string): ArtifactType {
  if (name === 'trace' && contentType === 'application/zip') return 'trace';
  if (contentType.startsWith('video/')) return 'video';
  return contentType.startsWith('image/') ? 'screenshot' : 'file';
}

const FILM = /\.webm$/i;
const PICTURE = /\.(?:png|jpe?g|webp|webm)$/i;
/** Folders of the run that hold nothing of the script's own. */
const NOT_SEARCHED = [OWN_FOLDER, 'node_modules', TEMPORARY_FOLDER];

function noneIfClosed(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'EACCES') return [];
  throw error;
}

/** Paths of pictures and films in the folder of a run; no link is followed, and what the script closed stays closed. */
async function picturesIn(folder: string, within = '', depth = 0): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(noneIfClosed);
  const found: string[] = [];
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    if (entry.isFile() && PICTURE.test(path)) found.push(path);
    if (entry.isDirectory() && !NOT_SEARCHED.includes(path)) {
      found.push(...(await picturesIn(folder, path, depth + 1)));
    }
  }
  return found;
}
