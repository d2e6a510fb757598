import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { ReadScreen } from '#renderer/app/read-screen.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { DEFAULT_PERIOD } from '#renderer/parts/period.ts';
import { PeriodPicker } from '#renderer/parts/period-picker.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { Tab, Tabs } from '#renderer/parts/tabs.tsx';
import { CheckHead } from './check-head.tsx';
import styles from './check-screen.module.css';
import { type CheckTab, TABS } from './check-search.ts';
import { useFollowedCheck } from './follow-check.ts';
import { Overview } from './overview.tsx';
import { checkQuery, lastRunsQuery, statusQuery } from './queries.ts';
import { RunSession } from './run-session.tsx';

const route = getRouteApi('/shell/checks/$checkId');
const HEAD_HEIGHT = 160;
const CONTENT_HEIGHT = 420;

// Each other part is loaded when it is opened first.
const Runs = lazy(async () => ({ default: (await import('./runs.tsx')).Runs }));
const Alerts = lazy(async () => ({ default: (await import('./alerts.tsx')).Alerts }));
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));
const HeartbeatOverview = lazy(async () => ({
  default: (await import('./heartbeat-overview.tsx')).HeartbeatOverview,
}));

/** One check: how it is, what happened, and what can be done. */
export function CheckScreen() {
  const { checkId } = route.useParams();
  const read = useQuery(checkQuery(checkId));
  // Asked for at once with the check: the sentence of the head would move what is below it.
  const status = useQuery(statusQuery(checkId));
  const runs = useQuery(lastRunsQuery(checkId));
  const isComing = useDeferredValue(status.isPending || runs.isPending);
  useTitle(read.data?.name);
  useFollowedCheck(checkId);
  return (
    <ReadScreen read={read} height={HEAD_HEIGHT}>
      {(check) =>
        isComing ? <SkeletonBlock height={HEAD_HEIGHT} /> : <Loaded key={checkId} check={check} />
      }
    </ReadScreen>
  );
}

function Loaded({ check }: { check: ShownCheck }) {
  const { tab = 'overview', period = DEFAULT_PERIOD, session } = route.useSearch();
  const navigate = route.useNavigate();
  const isHeartbeat = check.checkType === 'HEARTBEAT';
  const tabs = isHeartbeat ? TABS.filter((one) => one !== 'runs') : TABS;
  return (
    <div className={styles.screen}>
      <CheckHead check={check} />
      {session !== undefined && <RunSession key={session} sessionId={session} />}
      <div className={styles.tabs}>
        <Tabs label={text.check.tabsLabel}>
          {tabs.map((one) => (
            <Tab
              key={one}
              from="/checks/$checkId"
              to="/checks/$checkId"
              params={{ checkId: check.id }}
              search={{ period, tab: one === 'overview' ? undefined : one }}
              aria-current={one === tab ? 'page' : undefined}
              activeProps={{ 'aria-current': one === tab ? 'page' : undefined }}
            >
              {text.check.tabs[one]}
            </Tab>
          ))}
        </Tabs>
        {tab === 'overview' && !isHeartbeat && (
          <div className={styles.period}>
            <PeriodPicker
              value={period}
              onChange={(next) =>
                void navigate({ search: (before) => ({ ...before, period: next }), replace: true })
              }
            />
          </div>
        )}
      </div>
      <Suspense fallback={<SkeletonBlock height={CONTENT_HEIGHT} />}>
        <Content check={check} tab={isHeartbeat && tab === 'runs' ? 'overview' : tab} />
      </Suspense>
    </div>
  );
}

function Content({ check, tab }: { check: ShownCheck; tab: CheckTab }) {
  switch (tab) {
    case 'runs':
      return <Runs check={check} />;
    case 'alerts':
      return <Alerts checkId={check.id} />;
    case 'settings':
      return <Settings check={check} />;
    default:
      return check.checkType === 'HEARTBEAT' ? (
        <HeartbeatOverview check={check} />
      ) : (
        <Overview check={check} />
      );
  }
}
