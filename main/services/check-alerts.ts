import type { History } from '#main/store/history/history.ts';
import { ALERT_SUBJECTS, ALERT_TYPES, type AlertSubject } from '#shared/alerting/alert-type.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import { RESULT_WINDOW_MS } from '#shared/api/time-range.ts';
import type { ToldAlert } from '#shared/notifications/told-alert.ts';
import { shownNotification } from './alert-notifications.ts';
import { noSuchCheck } from './checks.ts';
import type { Listed, ServiceParts } from './resource.ts';
import { type RangePageQuery, rangePageOf } from './time-range.ts';

interface CheckAlertParts extends Pick<ServiceParts, 'configuration' | 'clock'> {
  history: Pick<History, 'findRecoveries' | 'listAlerts' | 'listNotifications'>;
}

const DAY_MS = 86_400_000;
/** What results may be kept at most. */
const TOLD_WINDOW_MS = 400 * DAY_MS;
/** Most notifications that are looked through for those of a page of alerts. */
const MAX_NOTIFICATIONS = 2_000;

interface ToldQuery extends RangePageQuery {
  checkId?: string | undefined;
  /** Only what says this. */
  says?: AlertSubject | undefined;
  /** False: only alerts of which nobody was told. */
  isTold?: boolean | undefined;
}

/** The alerts of checks that are kept, those that no channel was sent as well. */
export class CheckAlerts {
  readonly #parts: CheckAlertParts;

  constructor(parts: CheckAlertParts) {
    this.#parts = parts;
  }

  /** Of all checks, newest first. @throws ServiceError INVALID where the time range is too wide */
  list(query: RangePageQuery): Promise<Listed<StoredAlert>> {
    return this.#list(query);
  }

  /** Of one check. @throws ServiceError NOT_FOUND */
  async listOfCheck(checkId: string, query: RangePageQuery): Promise<Listed<StoredAlert>> {
    if (this.#parts.configuration.checks.get(checkId) === undefined) throw noSuchCheck(checkId);
    return this.#list(query, checkId);
  }

  /** Of all checks or of one, with what was sent for each, of as much of the past as is kept. */
  async listTold(query: ToldQuery): Promise<Listed<ToldAlert>> {
    const { configuration, history } = this.#parts;
    const { checkId, says, isTold } = query;
    const asked = {
      ...rangePageOf(query, TOLD_WINDOW_MS, this.#parts),
      checkId,
      types: says && ALERT_TYPES.filter((type) => ALERT_SUBJECTS[type] === says),
      isWithheld: isTold === undefined ? undefined : !isTold,
    };
    const { alerts, total } = await history.listAlerts(asked);
    const [newest, oldest] = [alerts[0], alerts.at(-1)];
    if (newest === undefined || oldest === undefined) return { items: [], total };
    const endings = await this.#endingsOf(alerts);
    // A notification is written with its alert; reminders of it follow.
    const { notifications } = await history.listNotifications({
      checkId,
      from: oldest.createdAt,
      to: newest.createdAt + DAY_MS,
      limit: MAX_NOTIFICATIONS,
      offset: 0,
    });
    const byAlert = Map.groupBy(notifications, ({ checkAlertId }) => checkAlertId);
    const items = alerts.map((alert, at) => ({
      alert,
      endedAt: endings[at] ?? null,
      told: (byAlert.get(alert.id) ?? []).map((one) => shownNotification(one, configuration)),
    }));
    return { items, total };
  }

  /** When the trouble that each tells of was over; null where it is not, or where it tells of none. */
  async #endingsOf(alerts: readonly StoredAlert[]): Promise<(number | null)[]> {
    const isTrouble = ({ alertType }: StoredAlert) =>
      ALERT_SUBJECTS[alertType] === 'failing' || ALERT_SUBJECTS[alertType] === 'degraded';
    const ids = alerts.map(({ id, checkId }) => ({ id, checkId }));
    const endings = await this.#parts.history.findRecoveries(ids);
    return alerts.map((alert, at) => (isTrouble(alert) ? (endings[at] ?? null) : null));
  }

  async #list(query: RangePageQuery, checkId?: string): Promise<Listed<StoredAlert>> {
    const asked = { ...rangePageOf(query, RESULT_WINDOW_MS, this.#parts), checkId };
    const { alerts: items, total } = await this.#parts.history.listAlerts(asked);
    return { items, total };
  }
}
