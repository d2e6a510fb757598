import { createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import { newMailing } from '#shared/status-pages/incident-mailing.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import { type MaintenanceNews, planNews } from '#shared/status-pages/maintenance-news.ts';
import { showsOn } from '#shared/status-pages/published-maintenance.ts';
import type { MailingPort } from './mailing-port.ts';
import { maintenanceNewsMachine } from './maintenance-news.machine.ts';

interface NewsParts {
  configuration: Pick<Configuration, 'maintenanceWindows' | 'statusPages' | 'pageServices'>;
  history: Pick<History, 'write'>;
  mailings: MailingPort;
  clock: Clock;
}

/** Keys of news are forgotten beyond so many: the store drops a second mailing of one anyhow. */
const MAX_KNOWN = 10_000;

/**
 * Has subscribers mailed of published maintenance: reminders, beginnings, ends, and what people say. What was due
 * within the last hour is mailed after a start as well; the key of each mailing keeps it from being mailed twice.
 */
export class MaintenanceMailings {
  readonly #parts: NewsParts;
  readonly #actor;
  /** Of what was written since the start. */
  readonly #known = new Set<string>();
  #unsubscribe = () => {};

  constructor(parts: NewsParts) {
    this.#parts = parts;
    const { clock } = parts;
    const input = { clock, mailDue: () => this.#mailDue() };
    this.#actor = createActor(maintenanceNewsMachine, { clock: actorClock(clock), input });
  }

  start(): void {
    const { maintenanceWindows } = this.#parts.configuration;
    this.#unsubscribe = maintenanceWindows.subscribe(() => this.#actor.send({ type: 'CHANGED' }));
    this.#actor.start();
  }

  stop(): void {
    this.#unsubscribe();
    this.#actor.stop();
  }

  async #mailDue(): Promise<number | null> {
    const { configuration, history, mailings, clock } = this.#parts;
    const { due, nextAt } = planNews(configuration.maintenanceWindows.all(), clock.now());
    const fresh = due.filter(({ key }) => !this.#known.has(key));
    const written = fresh
      .map((news) => this.#mailingOf(news))
      .filter(({ pageIds }) => pageIds.length > 0);
    if (written.length > 0) await history.write({ mailings: written });
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    for (const { key } of fresh) this.#known.add(key);
    mailings.enqueue(written);
    return nextAt;
  }

  #mailingOf({ window, key, content }: MaintenanceNews): StoredMailing {
    const { statusPages, pageServices } = this.#parts.configuration;
    const { showAffectedServices, serviceIds } = window.statusPageVisibility;
    const shown = statusPages.all().filter((page) => showsOn(window, page));
    const services = (showAffectedServices ? serviceIds : [])
      .map((id) => pageServices.get(id))
      .filter((service) => service !== undefined)
      .map(({ id, name }) => ({ id, name }));
    const at = this.#parts.clock.now();
    return newMailing(
      { id: uuidAt(at), at },
      { key, pageIds: shown.map(({ id }) => id), content: { ...content, services } },
    );
  }
}
