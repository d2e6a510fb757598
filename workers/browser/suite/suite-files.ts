import { isUtf8 } from 'node:buffer';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactType } from '#shared/artifacts/artifact.ts';
import { contentTypeOf } from '#shared/artifacts/content-type.ts';
import type { LogLine } from '#shared/playwright/detail.ts';
import type { SuiteAttachment, SuiteRecord } from '#shared/playwright/suite-record.ts';
import type { Mask } from '../../masking/mask.ts';
import type { ArtifactWriter, Change } from '../artifact-writer.ts';
import { nameOfAttachment, typeOfAttachment } from '../left-files.ts';
import { maskedZip } from '../masked-zip.ts';
import { maskedReport } from './html-report.ts';

/** Names of what was kept of a run. */
export interface SuiteFiles {
  screenshots: string[];
  videos: string[];
  /** Each with the titles of its test. */
  traces: { name: string; test: string }[];
  jsonReport: string | null;
  /** Its page. */
  htmlReport: string | null;
}

interface Left {
  /** Of the run. */
  folder: string;
  /** In it: where reports were written. */
  reports: string;
  record: SuiteRecord;
  log: readonly LogLine[];
}

const JSON_REPORT = 'report.json';
const HTML_REPORT = 'report/index.html';
/** Playwright's viewer of traces, which every report brings: the monitor has its own. */
const VIEWER = 'report/trace/';
const MAX_DEPTH = 5;

/** Writes what a suite left into the artifact store: masked, but for pictures, which may show what they may show. */
export async function keepSuiteFiles(
  left: Left,
  writer: ArtifactWriter,
  mask: Mask,
): Promise<SuiteFiles> {
  const keeper = new SuiteFileKeeper(left, writer, mask);
  await keeper.reports();
  await keeper.attachments();
  await keeper.log();
  return keeper.files;
}

class SuiteFileKeeper {
  readonly files: SuiteFiles = {
    screenshots: [],
    videos: [],
    traces: [],
    jsonReport: null,
    htmlReport: null,
  };
  readonly #left: Left;
  readonly #writer: ArtifactWriter;
  readonly #mask: Mask;

  constructor(left: Left, writer: ArtifactWriter, mask: Mask) {
    this.#left = left;
    this.#writer = writer;
    this.#mask = mask;
  }

  async reports(): Promise<void> {
    const { reports } = this.#left;
    const paths = await filesIn(reports);
    const isShown = (path: string) =>
      path === JSON_REPORT || (path.startsWith('report/') && !path.startsWith(VIEWER));
    for (const path of paths.filter(isShown)) {
      const kept = await this.#keep('report', join(reports, path), path);
      if (path === JSON_REPORT) this.files.jsonReport = kept;
      if (path === HTML_REPORT) this.files.htmlReport = kept;
    }
  }

  async attachments(): Promise<void> {
    const { attachments } = this.#left.record;
    const byPath = new Map(attachments.map((one) => [one.path, one]));
    for (const attachment of byPath.values()) await this.#attachment(attachment);
  }

  async log(): Promise<void> {
    const text = this.#left.log.map(({ time, level, msg }) => lineOf(time, level, msg)).join('');
    const artifact = { type: 'log', name: 'output.log' } as const;
    if (text !== '') await this.#writer.addBytes(artifact, Buffer.from(this.#mask.text(text)));
  }

  async #attachment({ name, contentType, path, test }: SuiteAttachment): Promise<void> {
    const type = typeOfAttachment(name, contentType);
    const kept = await this.#keep(
      type,
      path,
      nameOfAttachment(name, path, test, this.#mask),
      contentType,
    );
    if (kept === null) return;
    if (type === 'trace') this.files.traces.push({ name: kept, test });
    if (type === 'video') this.files.videos.push(kept);
    if (type === 'screenshot') this.files.screenshots.push(kept);
  }

  async #keep(
    type: ArtifactType,
    path: string,
    name: string,
    contentType = contentTypeOf(name),
  ): Promise<string | null> {
    const { folder: root } = this.#left;
    const artifact = { type, name, contentType };
    const isPicture = type === 'screenshot' || type === 'video';
    const kept = await this.#writer.addFile(
      artifact,
      { root, path },
      isPicture ? undefined : this.#change(name),
    );
    return kept?.name ?? null;
  }

  #change(name: string): Change {
    return (content) => {
      if (name.endsWith('.html')) return maskedReport(content, this.#mask);
      if (content.subarray(0, ZIP_START.length).equals(ZIP_START))
        return maskedZip(content, this.#mask);
      return isUtf8(content) ? Buffer.from(this.#mask.text(content.toString())) : content;
    };
  }
}

/** What an archive begins with. */
const ZIP_START = Buffer.from('PK\x03\x04');

const lineOf = (time: number, level: string, msg: string) =>
  `${new Date(time).toISOString()} ${level} ${msg}\n`;

/** Paths of the files of a folder, with slashes; none where it is not there. No link is followed. */
async function filesIn(folder: string, inside = '', depth = 0): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const found: string[] = [];
  try {
    for await (const entry of await opendir(join(folder, inside))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      if (entry.isDirectory()) found.push(...(await filesIn(folder, path, depth + 1)));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return found.sort();
}
