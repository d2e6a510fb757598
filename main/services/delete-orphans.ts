import type { Log } from '#main/platform/log.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';

interface Parts {
  configuration: Pick<Configuration, 'checks' | 'groups'>;
  log: Pick<Log, 'error'>;
}

/**
 * Deletes what belongs to checks and groups that are gone: as one is deleted, and now, for a crash between the two. Until
 * then nothing finds it, and no id is ever given to another.
 * @param noun one of what is deleted, at the start of a sentence
 */
export function deleteOrphans(
  { configuration, log }: Parts,
  noun: string,
  sweep: () => Promise<void>,
) {
  const start = () => {
    sweep().catch((error: unknown) => {
      const message = `${noun} of what was deleted is still kept; the next start ends it.`;
      log.error({ err: error }, message);
    });
  };
  for (const targets of [configuration.checks, configuration.groups]) {
    targets.subscribe(({ kind }) => {
      if (kind === 'delete') start();
    });
  }
  start();
}
