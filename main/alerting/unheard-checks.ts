import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import { type AlertSources, channelsOf } from './alert-context.ts';

type Sources = Pick<AlertSources, 'checks' | 'groups' | 'channels'>;

interface UnheardParts {
  configuration: Sources;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Logs now and once a day how many active checks have no channel for their alerts, as nothing else
 * would show it. Returns a function that stops it.
 */
export function watchUnheardChecks({ configuration, clock, log }: UnheardParts): () => void {
  let timer: unknown;
  const look = () => {
    const { active, unheard } = countUnheard(configuration);
    if (unheard > 0) log.warn({ active, unheard }, sentence(active, unheard, configuration));
    timer = clock.setTimeout(look, DAY_MS);
  };
  look();
  return () => clock.clearTimeout(timer);
}

/** Of the active checks, those that alert no channel that there is. */
function countUnheard(configuration: Sources): { active: number; unheard: number } {
  const { checks, groups } = configuration;
  let [active, unheard] = [0, 0];
  for (const check of checks.all()) {
    const group = groupOf(check, groups);
    if (!check.activated || group?.activated === false) continue;
    active += 1;
    if (channelsOf(check, configuration, group).length === 0) unheard += 1;
  }
  return { active, unheard };
}

function sentence(active: number, unheard: number, { channels }: Sources): string {
  const words = `${unheard} of ${active} active checks alert nobody.`;
  return channels.size === 0
    ? `${words} There is no alert channel: POST /v1/alert-channels makes one.`
    : `${words} POST /app/alert-channels/{id}/subscribe-all subscribes all checks to a channel.`;
}
