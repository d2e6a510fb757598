import type { Monitor } from '#main/monitoring/monitor-port.ts';
import { LruMap } from '#main/platform/lru-map.ts';
import { Yielding } from '#main/platform/yielding.ts';
import { type Asset, findAsset } from '#main/status-pages/assets/assets.ts';
import { renderBoard } from '#main/status-pages/html/board.ts';
import { Markdown } from '#main/status-pages/html/markdown.ts';
import type { History } from '#main/store/history/history.ts';
import type { Check } from '#shared/checks/check.ts';
import {
  type Board,
  type BoardRow,
  boardIncidents,
  boardPage,
  countStandings,
  inBoardOrder,
  isShown,
  nameKey,
} from '#shared/dashboards/board.ts';
import { type Dashboard, MAX_DASHBOARDS } from '#shared/dashboards/dashboard.ts';
import type { Group } from '#shared/groups/group.ts';
import { groupOf, tagsOf } from '#shared/groups/merge-group.ts';
import { type Standing, standingOf } from '#shared/results/standing.ts';
import type { DashboardIncidents } from './dashboard-incidents.ts';
import { findPublic } from './public-reads.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

interface BoardParts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf'>;
  history: Pick<History, 'summariseRuns'>;
}

/** The public page of a dashboard, ready to send. */
export interface RenderedBoard {
  dashboard: Dashboard;
  markup: string;
}

interface Made {
  /** As it was then. */
  dashboard: Dashboard;
  /** Epoch ms. */
  madeAt: number;
}
type Remembered = Made & RenderedBoard;

/** A check that a dashboard shows. */
interface Candidate {
  check: Check;
  group: Group | undefined;
  standing: Standing;
  /** By which names are compared. */
  key: string;
}

/** How long a page is answered from memory, and how many pages are. */
export const BOARD_SECONDS = 10;
const MAX_PAGES = 50;

/** Where the assets of all pages are, from `/dashboards/{customUrl}`. */
const ROOT = '';

/** The time that figures are of, and most runs that a page reads for them. */
const FIGURES_MS = 86_400_000;
const MAX_RUNS = 40_000;
const MAX_RUNS_OF_CHECK = 2_000;

/** The pages of dashboards, which people read without a key. */
export class Boards {
  readonly #parts: BoardParts;
  readonly #incidents: DashboardIncidents;
  readonly #markdown = new Markdown();
  readonly #pages = new LruMap<Remembered>(MAX_PAGES);
  /** How many pages each dashboard has, by its id. */
  readonly #counts = new LruMap<Made & { pages: number }>(MAX_DASHBOARDS);

  constructor(parts: BoardParts, incidents: DashboardIncidents) {
    this.#parts = parts;
    this.#incidents = incidents;
  }

  /**
   * A page of a dashboard by its `customUrl` or `customDomain`, some seconds old at most. However many ask, one is made at a time.
   *
   * @throws ServiceError NOT_FOUND, also for a private one
   */
  async read(address: string, wantedPage: number): Promise<RenderedBoard> {
    const { mutex, configuration } = this.#parts;
    const dashboard = findPublic(configuration, 'dashboards', address);
    const known = this.#remembered(dashboard, wantedPage);
    if (known !== undefined) return known;
    return mutex('boards', async () => {
      // Whoever was before may have made it.
      return this.#remembered(dashboard, wantedPage) ?? (await this.#make(dashboard, wantedPage));
    });
  }

  /** The path of the board whose own domain a host name is, in lower case. */
  pathOfDomain(host: string): string | undefined {
    const { dashboards } = this.#parts.configuration;
    const dashboard = dashboards.all().find(({ customDomain }) => customDomain === host);
    return dashboard && `/dashboards/${host}`;
  }

  /** What its pages load. @throws ServiceError NOT_FOUND */
  asset(name: string): Asset {
    const asset = findAsset(name);
    if (asset === undefined) throw notFound('Nothing public is here');
    return asset;
  }

  #remembered(dashboard: Dashboard, wantedPage: number): Remembered | undefined {
    const counted = this.#fresh(this.#counts.get(dashboard.id), dashboard);
    // A number past the last page must not have that page made once more.
    const page = Math.min(wantedPage, counted?.pages ?? wantedPage);
    return this.#fresh(this.#pages.get(keyOf(dashboard, page)), dashboard);
  }

  #fresh<T extends Made>(made: T | undefined, dashboard: Dashboard): T | undefined {
    const isFresh =
      made?.dashboard === dashboard &&
      this.#parts.clock.now() - made.madeAt < BOARD_SECONDS * 1_000;
    return isFresh ? made : undefined;
  }

  async #make(dashboard: Dashboard, wantedPage: number): Promise<RenderedBoard> {
    const board = await this.#board(dashboard, wantedPage);
    const { page, pages, at: madeAt } = board;
    const markup = renderBoard(board, { root: ROOT, markdown: this.#markdown });
    const made = { dashboard, markup, madeAt };
    this.#pages.set(keyOf(dashboard, page), made);
    this.#counts.set(dashboard.id, { dashboard, pages, madeAt });
    return made;
  }

  async #board(dashboard: Dashboard, wantedPage: number): Promise<Board> {
    const at = this.#parts.clock.now();
    const candidates = inBoardOrder(await this.#candidates(dashboard), dashboard);
    const { shown, ...place } = boardPage(candidates, dashboard, wantedPage);
    const incidents = dashboard.enableIncidents ? this.#incidents.of(Number(dashboard.id)) : [];
    return {
      dashboard,
      rows: await this.#rows(shown, at),
      counts: countStandings(candidates),
      ...place,
      incidents: boardIncidents(incidents, at),
      at,
    };
  }

  /** All checks that the dashboard shows, on whichever page. */
  async #candidates(dashboard: Dashboard): Promise<Candidate[]> {
    const { configuration, monitor } = this.#parts;
    const candidates: Candidate[] = [];
    const pace = new Yielding();
    for (const check of configuration.checks.all()) {
      if (pace.isDue) await pace.rest();
      const group = groupOf(check, configuration.groups);
      if (!isShown(dashboard, check.tags, group?.tags)) continue;
      const standing = standingOf(check, group, monitor.statusOf(check.id));
      candidates.push({ check, group, standing, key: nameKey(check.name) });
    }
    return candidates;
  }

  async #rows(shown: readonly Candidate[], now: number): Promise<BoardRow[]> {
    const share = Math.floor(MAX_RUNS / Math.max(1, shown.length));
    const summaries = await this.#parts.history.summariseRuns({
      checkIds: shown.map(({ check }) => check.id),
      from: now - FIGURES_MS,
      limit: Math.min(MAX_RUNS_OF_CHECK, share),
    });
    return shown.map(({ check, group, standing }, index) => {
      const summary = summaries[index];
      return {
        name: check.name,
        group: group?.name ?? null,
        tags: tagsOf(check, group),
        standing,
        summary: summary?.bars.length ? summary : null,
      };
    });
  }
}

function keyOf({ id }: Dashboard, page: number): string {
  return `${id} ${page}`;
}
