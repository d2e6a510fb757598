import type { Mutex } from '#main/platform/mutex.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { ApiLog } from '../../options.ts';
import { TRIGGERS, targetExists } from './find-trigger.ts';

/**
 * Ends triggers whose check or group is gone: as it is deleted, and at the start, for a crash between
 * the two. Until then nothing finds them, and no id is ever given to another.
 */
export function endWithTargets(configuration: Configuration, mutex: Mutex, log: ApiLog): void {
  const sweep = () => {
    endOrphans(configuration, mutex).catch((error: unknown) => {
      const message = 'A trigger of what was deleted is still kept; the next start ends it.';
      log.error({ err: error }, message);
    });
  };
  const follow = ({ kind }: { kind: 'put' | 'delete' }) => {
    if (kind === 'delete') sweep();
  };
  configuration.checks.subscribe(follow);
  configuration.groups.subscribe(follow);
  sweep();
}

function endOrphans(configuration: Configuration, mutex: Mutex): Promise<void> {
  const { triggers } = configuration;
  return mutex(TRIGGERS, async () => {
    const orphans = triggers.all().filter(({ target }) => !targetExists(target, configuration));
    for (const { id } of orphans) await triggers.delete(id);
  });
}
