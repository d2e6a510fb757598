import type { Log } from '#main/platform/log.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { IncidentHead } from '#shared/incidents/incident.ts';
import { monthOf } from '#shared/status-pages/public-page-rules.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { ASSETS } from './assets/assets.ts';
import { ExportFolder } from './export-folder.ts';
import { MONTH_PAGE_SIZE, partOf } from './html/past-pages.ts';
import { theme } from './html/theme.ts';
import { DocumentMaker, type MakerParts } from './make-document.ts';
import type { PageDocument } from './status-pages-port.ts';

export interface StaticExportParts extends MakerParts {
  configuration: Pick<Configuration, 'pageServices' | 'maintenanceWindows' | 'statusPages'>;
  history: Pick<History, 'listIncidentHeads' | 'findIncident' | 'watchIncidents'>;
  log: Pick<Log, 'warn' | 'info'>;
}

/** Changes within this time are written together. */
const SETTLE_MS = 1_000;
/** How often files are written anew while nothing changes: their scripts say so when it is long ago. */
const ROUND_MS = 5 * 60_000;
/** After a round that failed. */
const RETRY_MS = 30_000;
/** Incidents of a page that have a file, the newest. */
const MAX_INCIDENT_FILES = 500;

const HERE = { root: './', ending: '.html' } as const;
const BELOW = { root: '../', ending: '.html' } as const;

/** Documents of the page's own folder; the page itself comes last, when all that it leads to is there. */
const OWN_FILES = [
  ['status.json', 'json'],
  ['feed.rss', 'rss'],
  ['feed.atom', 'atom'],
  ['slack.rss', 'slack'],
  ['index.html', 'page'],
] as const satisfies readonly (readonly [string, PageDocument['kind']])[];

/**
 * Writes status pages as plain files, whenever something changes and every five minutes. A disk that fails is
 * logged and tried again; nothing waits for it.
 */
export class StaticExport {
  readonly #parts: StaticExportParts;
  readonly #folder: ExportFolder;
  readonly #maker: DocumentMaker;
  readonly #stops: (() => void)[];
  /** Whose files are old; null: everything's. */
  #changedIncidents: Set<string> | null = null;
  #timer: unknown;
  #round: Promise<void> = Promise.resolve();
  #isUnderWay = false;
  #isFailing = false;
  #isStopped = false;

  constructor(path: string, parts: StaticExportParts) {
    this.#parts = parts;
    this.#folder = new ExportFolder(path);
    this.#maker = new DocumentMaker(parts);
    const { configuration, history } = parts;
    const { statusPages, pageServices, maintenanceWindows } = configuration;
    this.#stops = [
      ...[statusPages, pageServices, maintenanceWindows].map((collection) =>
        collection.subscribe(() => {
          this.#changedIncidents = null;
          this.#changed();
        }),
      ),
      history.watchIncidents((incidents) => {
        this.#maker.source.forget();
        for (const { id } of incidents) this.#changedIncidents?.add(id);
        this.#changed();
      }),
    ];
  }

  start(): void {
    this.#schedule(0);
  }

  /** Resolves when nothing is written any more. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#parts.clock.clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    return this.idle();
  }

  /** Resolves at the end of the round under way. */
  idle(): Promise<void> {
    return this.#round;
  }

  #changed(): void {
    if (!this.#isUnderWay) this.#schedule(SETTLE_MS);
  }

  #schedule(delayMs: number): void {
    const { clock } = this.#parts;
    clock.clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = clock.setTimeout(() => {
      this.#round = this.#runRound();
    }, delayMs);
  }

  async #runRound(): Promise<void> {
    const changed = this.#changedIncidents;
    this.#changedIncidents = new Set();
    this.#isUnderWay = true;
    const hasWorked = await this.#tryRound(changed);
    this.#isUnderWay = false;
    if (!hasWorked) this.#changedIncidents = null;
    const hasMore = this.#changedIncidents === null || this.#changedIncidents.size > 0;
    this.#schedule(hasWorked ? (hasMore ? SETTLE_MS : ROUND_MS) : RETRY_MS);
  }

  async #tryRound(changed: ReadonlySet<string> | null): Promise<boolean> {
    const { log } = this.#parts;
    try {
      await this.#writeAll(changed);
      if (this.#isFailing) log.info('Status pages are written to their folder again.');
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing && !this.#isStopped) {
        log.warn({ err: error }, 'Status pages could not be written to their folder.');
      }
      this.#isFailing = true;
      return false;
    }
  }

  async #writeAll(changed: ReadonlySet<string> | null): Promise<void> {
    const round: Round = { changed, present: await this.#folder.present(), files: new Set() };
    const all = this.#parts.configuration.statusPages.all();
    const pages = all.filter(({ visibility }) => visibility !== 'PRIVATE');
    await this.#removePagesBeside(pages);
    for (const page of pages) await this.#writePage(page, round);
    await this.#folder.removeOthers(round.files);
  }

  /** Before anything is written, as that may fail: a page that is private now must not stay on a full disk. */
  async #removePagesBeside(pages: readonly StatusPage[]): Promise<void> {
    const folders = new Set(pages.map(({ url }) => url));
    const files = [...(await this.#folder.files())];
    const left = files.filter((file) => folders.has(file.split('/', 1)[0] ?? ''));
    if (left.length < files.length) await this.#folder.removeOthers(new Set(left));
  }

  async #writePage(page: StatusPage, round: Round): Promise<void> {
    const { clock } = this.#parts;
    const now = clock.now();
    const heads = await this.#maker.source.headsOf(page, now);
    const { occurrences } = await this.#maker.source.material(page, now);
    const isChanged = round.changed === null || round.changed.size > 0;
    const months = monthsBetween(this.#maker.firstMonthOf(page, heads, now), now);
    const documents: Planned[] = [
      ...heads.slice(0, MAX_INCIDENT_FILES).map(({ id, endedAt }) => ({
        file: `incidents/${id}.html`,
        document: { kind: 'incident', id } as const,
        isOld: round.changed === null || round.changed.has(id) || endedAt === null,
      })),
      ...occurrences.map(({ id }) => ({
        file: `maintenances/${id}.html`,
        document: { kind: 'maintenance', id } as const,
        isOld: true,
      })),
      ...months.flatMap((month, index) =>
        this.#partsOf(month, heads).map((part) => ({
          file: `history/${partOf(month, part)}.html`,
          document: { kind: 'month', month, part } as const,
          isOld: isChanged || index === months.length - 1,
        })),
      ),
      ...OWN_FILES.map(([file, kind]) => ({ file, document: { kind }, isOld: true })),
    ];
    await this.#writeAssets(page, round);
    await this.#folder.claim(documents.map(({ file }) => `${page.url}/${file}`));
    for (const planned of documents) await this.#writeDocument(page, planned, round);
  }

  async #writeAssets({ url, themeColors }: StatusPage, round: Round): Promise<void> {
    const assets = [ASSETS.style, ASSETS.script].map(
      ({ name, bytes }) => [`assets/${name}`, bytes] as const,
    );
    const sheet = themeColors && (['theme.css', theme(themeColors).css] as const);
    for (const [file, content] of [...assets, ...(sheet ? [sheet] : [])]) {
      const path = `${url}/${file}`;
      round.files.add(path);
      await this.#folder.claim([path]);
      await this.#folder.write(path, content);
    }
  }

  /** One that is not old and is there stays as it is. */
  async #writeDocument(page: StatusPage, { file, document, isOld }: Planned, round: Round) {
    if (this.#isStopped) throw new Error('The export was stopped.');
    const path = `${page.url}/${file}`;
    if (!isOld && round.present.has(path)) return void round.files.add(path);
    const made = await this.#maker.make(page, document, file.includes('/') ? BELOW : HERE);
    if (made === null) return;
    round.files.add(path);
    await this.#folder.write(path, made.text);
  }

  /** The documents of a month, from 1. */
  #partsOf(month: string, heads: readonly IncidentHead[]): number[] {
    const from = Date.parse(`${month}-01`);
    const after = new Date(from).setUTCMonth(new Date(from).getUTCMonth() + 1);
    const count = heads.filter(
      ({ startedAt, endedAt }) => startedAt < after && (endedAt === null || endedAt >= from),
    ).length;
    const parts = Math.max(1, Math.ceil(count / MONTH_PAGE_SIZE));
    return Array.from({ length: parts }, (_, index) => index + 1);
  }
}

interface Planned {
  /** Below the page's folder. */
  file: string;
  document: PageDocument;
  /** Whether what is there already may be another. */
  isOld: boolean;
}

interface Round {
  changed: ReadonlySet<string> | null;
  present: ReadonlySet<string>;
  /** What is ours after it. */
  files: Set<string>;
}

/** `2026-01` and so on, both ends among them. */
function monthsBetween(from: number, to: number): string[] {
  const months = [];
  const month = new Date(`${monthOf(from)}-01`);
  for (; month.getTime() <= to; month.setUTCMonth(month.getUTCMonth() + 1)) {
    months.push(monthOf(month.getTime()));
  }
  return months;
}
