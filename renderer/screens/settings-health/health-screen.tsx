import { useQuery } from '@tanstack/react-query';
import { useTitle } from '#renderer/app/title.ts';
import { healthText } from '#renderer/messages/appliance.ts';
import { useOfNow } from '#renderer/parts/clock.ts';
import { Failed } from '#renderer/parts/failed.tsx';
import { span } from '#renderer/parts/format.ts';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import type { ConnectivityAnswer } from '#shared/self-monitoring/connectivity-view.ts';
import type { StorageView } from '#shared/self-monitoring/storage-view.ts';
import { Disk } from './disk.tsx';
import styles from './health-screen.module.css';
import { HourCharts } from './hour-charts.tsx';
import { Probes } from './probes.tsx';
import { connectivityQuery, storageQuery, vitalsQuery } from './queries.ts';
import { VitalNumbers } from './vital-numbers.tsx';

const words = healthText;
const LOADING_HEIGHT = 320;

/** How the appliance itself does: whether it keeps up, what waits, and what its history takes. */
export function HealthScreen() {
  useTitle(words.title);
  const vitals = useQuery(vitalsQuery);
  const storage = useQuery(storageQuery);
  const connectivity = useQuery(connectivityQuery);
  const startedAt = vitals.data?.startedAt;
  const up = useOfNow((now) => (startedAt === undefined ? '' : span(Math.max(0, now - startedAt))));
  if (vitals.data === undefined) {
    return vitals.error === null ? (
      <SkeletonBlock height={LOADING_HEIGHT} />
    ) : (
      <Failed error={vitals.error} onRetry={() => void vitals.refetch()} />
    );
  }
  const warnings = warningsOf(connectivity.data, storage.data);
  return (
    <div className={styles.health}>
      <PageHead
        title={warnings.length === 0 ? words.healthy : words.unhealthy}
        below={warnings.length === 0 ? words.since(up) : warnings.join(' ')}
      />
      <VitalNumbers samples={vitals.data.samples} everyMs={vitals.data.everyMs} />
      <HourCharts samples={vitals.data.samples} everyMs={vitals.data.everyMs} />
      {storage.data !== undefined && <Disk storage={storage.data} />}
      {connectivity.data !== undefined && <Probes connectivity={connectivity.data} />}
    </div>
  );
}

function warningsOf(
  connectivity: ConnectivityAnswer | undefined,
  storage: StorageView | undefined,
): string[] {
  const reasons = connectivity?.reasons ?? [];
  const why = reasons.map((reason) => words.reasons[reason]).join(', ');
  return [...(why === '' ? [] : [words.offline(why)]), ...(storage?.warnings ?? [])];
}
