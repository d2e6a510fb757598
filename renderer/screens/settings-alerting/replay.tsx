import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useSummary } from '#renderer/api/summary.ts';
import { alertingText } from '#renderer/messages/alerting.ts';
import { text } from '#renderer/messages/messages.ts';
import { Refusals } from '#renderer/parts/form/refusals.tsx';
import { count, span } from '#renderer/parts/format.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { PeriodPicker } from '#renderer/parts/period-picker.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { alertState } from '#renderer/parts/told-list.tsx';
import type { PolicySummary } from '#shared/alerting/policy-summary.ts';
import type { Simulation } from '#shared/alerting/simulation.ts';
import styles from './alerting.module.css';
import { simulationQuery, type TriedSettings } from './queries.ts';
import { ReplayMarks } from './replay-marks.tsx';
import { useSettled } from './use-settled.ts';

const words = alertingText.replay;
const route = getRouteApi('/shell/settings/alerting');
const SETTLED_MS = 400;
const HEIGHT = 240;
const MAX_LISTED = 20;

/** What settings would have sent in a time of the past, beside those that there are. */
export function Replay({ tried, isOther }: { tried: TriedSettings; isOther: boolean }) {
  const { period = '7d' } = route.useSearch();
  const navigate = route.useNavigate();
  const settled = useSettled(tried, SETTLED_MS);
  const { data, error, isFetching } = useQuery(simulationQuery(period, settled));
  return (
    <aside className={styles.replay}>
      <Panel
        title={words.title}
        note={
          <PeriodPicker
            value={period}
            onChange={(next) => void navigate({ search: { period: next }, replace: true })}
          />
        }
      >
        <div aria-live="polite" aria-busy={isFetching}>
          {error !== null && <Refusals of={[error.message]} />}
          {error === null && data === undefined && <SkeletonBlock height={HEIGHT} />}
          {error === null && data !== undefined && <Outcome {...data} isOther={isOther} />}
        </div>
      </Panel>
    </aside>
  );
}

interface OutcomeProps extends Simulation {
  from: number;
  to: number;
  isOther: boolean;
}

function Outcome(props: OutcomeProps) {
  const { checks, ofChecks, outcomes, current, simulated, from, to, isOther } = props;
  if (checks === 0) return <p className={styles.note}>{words.none}</p>;
  const columns = isOther ? [current, simulated] : [current];
  return (
    <div className={styles.outcome}>
      <p className={styles.headline}>
        {isOther ? words.other(simulated.woken, current.woken) : words.same(current.woken)}
      </p>
      <ReplayMarks name={words.now} summary={current} from={from} to={to} />
      {isOther && <ReplayMarks name={words.tried} summary={simulated} from={from} to={to} />}
      <Numbers columns={columns} />
      <Messages summary={isOther ? simulated : current} />
      <p className={styles.note}>{words.of(checks, ofChecks, outcomes)}</p>
    </div>
  );
}

function Numbers({ columns }: { columns: readonly PolicySummary[] }) {
  const rows: [string, (summary: PolicySummary) => string][] = [
    [words.woken, ({ woken }) => count(woken)],
    [words.messages, (summary) => count(summary.count)],
    [words.withheld, ({ withheld }) => count(withheld)],
    [words.firstTold, delayOf],
  ];
  const [first, second] = columns;
  return (
    <table className={styles.numbers}>
      <thead>
        <tr>
          <td />
          <th scope="col">{words.now}</th>
          {second !== undefined && <th scope="col">{words.tried}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, of]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{first && of(first)}</td>
            {second !== undefined && <td>{of(second)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function delayOf({ firstFailureAt, delayOfFirstMs }: PolicySummary): string {
  if (firstFailureAt === null) return text.parts.none;
  if (delayOfFirstMs === null) return words.never;
  return delayOfFirstMs < 1_000 ? words.atOnce : span(delayOfFirstMs);
}

function Messages({ summary: { notifications, count: all } }: { summary: PolicySummary }) {
  const known = useSummary();
  if (all === 0) return <p className={styles.note}>{words.noMessage}</p>;
  const nameOf = (id: string) =>
    (known.kind === 'ready' && known.known.checks.get(id)?.name) || words.gone;
  return (
    <>
      <ol className={styles.messages} aria-label={words.list}>
        {notifications.slice(0, MAX_LISTED).map((one) => (
          <li key={`${one.at} ${one.checkId} ${one.type} ${one.reminderSequence}`}>
            <StateIcon state={alertState(one.type)} isNamed={false} size={14} />
            <span className={styles.message}>
              <Link to="/checks/$checkId" params={{ checkId: one.checkId }}>
                {nameOf(one.checkId)}
              </Link>{' '}
              {saidOf(one)}
            </span>
            <span className={styles.time}>
              <Time at={one.at} />
            </span>
          </li>
        ))}
      </ol>
      {all > MAX_LISTED && <p className={styles.note}>{words.more(all - MAX_LISTED)}</p>}
    </>
  );
}

function saidOf({
  type,
  occasion,
  reminderSequence,
}: PolicySummary['notifications'][number]): string {
  const said = text.parts.alerts.types[type];
  if (occasion === 'reminder') return `${said}, ${words.reminder(reminderSequence)}`;
  return occasion === 'run' ? said : `${said}, ${words.occasions[occasion]}`;
}
