import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useLive } from '#renderer/api/live.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { ReadScreen } from '#renderer/app/read-screen.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { groupText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { MutedNote } from '#renderer/parts/mute/muted-note.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';
import { Tab, Tabs } from '#renderer/parts/tabs.tsx';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';
import styles from './group.module.css';
import { GroupActions } from './group-actions.tsx';
import { GroupChecks } from './group-checks.tsx';
import { GroupForm } from './group-form.tsx';
import { groupQuery, type ShownGroup } from './queries.ts';

const words = groupText;
const route = getRouteApi('/shell/groups/$groupId');
const HEIGHT = 320;

/** A group: its checks, and the settings that they share; or a new one. */
export function GroupScreen() {
  const { groupId } = route.useParams();
  const isNew = groupId === 'new';
  const read = useQuery({ ...groupQuery(groupId), enabled: !isNew });
  useTitle(isNew ? words.newTitle : read.data?.name);
  if (isNew) {
    return (
      <div className={styles.screen}>
        <PageHead above={<Place />} title={words.newTitle} below={words.newText} />
        <GroupForm />
      </div>
    );
  }
  return (
    <ReadScreen read={read} height={HEIGHT}>
      {(group) => <Group group={group} />}
    </ReadScreen>
  );
}

function Group({ group }: { group: ShownGroup }) {
  const { tab } = route.useSearch();
  const params = { groupId: String(group.id) };
  const checks = useChecksOf(group.id);
  const queries = useQueryClient();
  useLive((event) => {
    if (event.kind === 'group' && event.group.id === group.id)
      void queries.invalidateQueries({ queryKey: ['group', group.id] });
  });
  return (
    <>
      <PageHead
        above={<Place />}
        title={group.name}
        below={<Standing group={group} checks={checks} />}
        actions={<GroupActions group={group} count={checks.length} />}
      />
      <Tabs label={words.tabs}>
        <Tab to="/groups/$groupId" params={params} search={{}} activeOptions={{ exact: true }}>
          {words.checks}
        </Tab>
        <Tab to="/groups/$groupId" params={params} search={{ tab: 'settings' }}>
          {words.settings}
        </Tab>
      </Tabs>
      {tab === undefined ? (
        <GroupChecks checks={checks} />
      ) : (
        <div className={styles.settings}>
          <GroupForm key={group.id} group={group} />
        </div>
      )}
    </>
  );
}

function Place() {
  return <Link to="/">{text.checks.title}</Link>;
}

const BAD_FIRST = ['failing', 'degraded', 'inconclusive'];

/** What is wrong first, then by name. */
function useChecksOf(groupId: number): CheckSummary[] {
  const summary = useSummary();
  if (summary.kind !== 'ready') return [];
  const rank = ({ state }: CheckSummary) => {
    const place = BAD_FIRST.indexOf(state);
    return place === -1 ? BAD_FIRST.length : place;
  };
  return [...summary.known.checks.values()]
    .filter((check) => check.groupId === groupId)
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/** How its checks do, and what was done with all of them. */
function Standing({ group, checks }: { group: ShownGroup; checks: readonly CheckSummary[] }) {
  const { id, activated, muted } = group;
  const failing = checks.filter(({ state }) => state === 'failing').length;
  return (
    <>
      {words.state(failing, checks.length)} {!activated && `${words.paused} `}
      {muted && <MutedNote of={{ kind: 'check-groups', id }} told={words.muted} />}
    </>
  );
}
