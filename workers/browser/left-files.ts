import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactType } from '#shared/artifacts/artifact.ts';
import { contentTypeOf } from '#shared/artifacts/content-type.ts';
import type { SpecEventOf } from '#shared/playwright/events.ts';
import type { Mask } from '../masking/mask.ts';
import type { ArtifactWriter } from './artifact-writer.ts';
import { maskedZip } from './masked-zip.ts';
import { OWN_FOLDER } from './spec/job.ts';

/** Names of what was kept of a run. */
export interface LeftFiles {
  screenshots: string[];
  traces: string[];
  videos: string[];
}

/** Where Playwright puts what belongs to a test, in a folder for each. */
export const RESULTS_FOLDER = `${OWN_FOLDER}/results`;

/** Pictures that a script saved by itself. */
const MAX_SAVED = 20;
const MAX_DEPTH = 5;
/** Entries of a folder that are looked at. */
const MAX_ENTRIES = 1_000;
/** Where the programs of a run put what they need for a moment. */
const TEMPORARY_FOLDER = 't';

/**
 * Writes what a run left into the artifact store: what belongs to its tests, and pictures that the
 * script saved. Traces and texts are masked; a picture may show what it may show.
 *
 * @param inputs paths of the check's own files, which are nothing that the run left
 */
export async function keepLeftFiles(
  folder: string,
  attachments: readonly SpecEventOf<'attach'>[],
  inputs: ReadonlySet<string>,
  writer: ArtifactWriter,
  mask: Mask,
): Promise<LeftFiles> {
  const keeper = new FileKeeper(folder, writer, mask);
  for (const { name, path, contentType } of attachments)
    await keeper.attachment(name, path, contentType);
  const known = new Set([...inputs, ...attachments.map(({ path }) => path)]);
  const saved = (await picturesIn(folder)).filter((path) => !known.has(path));
  for (const path of saved.slice(0, MAX_SAVED)) await keeper.keep('screenshot', path, path);
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

  /** A file that belongs to a test, called as in the folder of its test, or as the script calls it. */
  async attachment(name: string, path: string, contentType: string): Promise<void> {
    const isOfTest = path.startsWith(`${RESULTS_FOLDER}/`);
    const shownName = isOfTest ? path.slice(RESULTS_FOLDER.length + 1) : name;
    await this.keep(typeOf(name, contentType), path, shownName, contentType);
  }

  async keep(type: ArtifactType, path: string, name: string, contentType = contentTypeOf(name)) {
    const artifact = { type, name: this.#mask.text(name), contentType };
    const file = { root: this.#folder, path: join(this.#folder, path) };
    const change = type === 'trace' || type === 'file' ? this.#masked : undefined;
    const kept = await this.#writer.addFile(artifact, file, change);
    if (kept) this.#listOf(type).push(kept.name);
  }

  readonly #masked = (content: Buffer): Buffer | Promise<Buffer> => {
    if (content.subarray(0, ZIP_START.length).equals(ZIP_START))
      return maskedZip(content, this.#mask);
    return isUtf8(content) ? Buffer.from(this.#mask.text(content.toString())) : content;
  };

  #listOf(type: ArtifactType): string[] {
    if (type === 'trace') return this.left.traces;
    return type === 'video' ? this.left.videos : this.left.screenshots;
  }
}

/** What an archive begins with. */
const ZIP_START = Buffer.from('PK\x03\x04');

function typeOf(name: string, contentType: string): ArtifactType {
  if (name === 'trace' && contentType === 'application/zip') return 'trace';
  if (contentType.startsWith('video/')) return 'video';
  return contentType.startsWith('image/') ? 'screenshot' : 'file';
}

const PICTURE = /\.(?:png|jpe?g|webp)$/i;
/** Folders of the run that hold nothing of the script's own. */
const NOT_SEARCHED = [OWN_FOLDER, 'node_modules', TEMPORARY_FOLDER];

/** Paths of pictures in the folder of a run; no link is followed. */
async function picturesIn(folder: string, within = '', depth = 0): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(join(folder, within), { withFileTypes: true });
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
