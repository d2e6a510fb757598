import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { useKeys } from '#renderer/app/keys.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button, ButtonLink } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { Failed } from '#renderer/parts/failed.tsx';
import { milliseconds, moment } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import { SkeletonRows } from '#renderer/parts/skeleton.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { runState } from '#shared/summaries/check-state.ts';
import type { CheckSearch } from './check-search.ts';
import { RUNS_SHOWN, type RunLine, runsQuery } from './queries.ts';
import styles from './runs.module.css';

const route = getRouteApi('/shell/checks/$checkId');
const words = text.check.runs;

type Filter = 'all' | NonNullable<CheckSearch['runs']>;

/** The runs of a check, newest first, page by page; what is shown stands in the address. */
export function Runs({ check }: { check: ShownCheck }) {
  const { runs: filter = 'all', location, until, after } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(
    runsQuery(check.id, {
      resultType: filter === 'attempts' ? 'ALL' : 'FINAL',
      hasFailures: filter === 'failed' ? true : filter === 'passed' ? false : undefined,
      location,
      to: until,
      nextId: after,
    }),
  );
  useKeys([
    { key: 'j', label: words.label, isHidden: true, run: () => moveFocus(1) },
    { key: 'k', label: words.label, isHidden: true, run: () => moveFocus(-1) },
  ]);
  const show = (next: Partial<CheckSearch>) =>
    void navigate({ search: (before) => ({ ...before, after: undefined, ...next }) });
  const nextId = data?.nextId ?? undefined;
  return (
    <>
      <Filters check={check} onShow={show} />
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows count={12} />}
      {data?.entries.length === 0 && (
        <EmptyState
          title={words.emptyTitle}
          text={words.emptyText}
          action={
            <Button
              onClick={() => show({ runs: undefined, location: undefined, until: undefined })}
            >
              {words.showAll}
            </Button>
          }
        />
      )}
      {data !== undefined && data.entries.length > 0 && (
        <table className={styles.runs}>
          <thead>
            <tr>
              <th scope="col">{text.check.run.result}</th>
              <th scope="col">{text.check.run.time}</th>
              <th scope="col">{text.check.run.location}</th>
              <th scope="col" className={styles.number}>
                {text.check.run.duration}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.entries.map((run) => (
              <Run key={run.id} checkId={check.id} run={run} />
            ))}
          </tbody>
        </table>
      )}
      <div className={styles.pages}>
        {after !== undefined && <Button onClick={() => show({})}>{words.newest}</Button>}
        {nextId !== undefined && data?.entries.length === RUNS_SHOWN && (
          <ButtonLink
            from="/checks/$checkId"
            to="/checks/$checkId"
            search={(before) => ({ ...before, after: nextId })}
          >
            {words.older}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

function Filters({
  check,
  onShow,
}: {
  check: ShownCheck;
  onShow(next: Partial<CheckSearch>): void;
}) {
  const { runs: filter = 'all', location = '', until } = route.useSearch();
  const own = 'privateLocations' in check ? (check.privateLocations ?? []) : [];
  const places = [...(check.locations ?? []), ...own];
  const options: (readonly [Filter, string])[] = (
    ['all', 'failed', 'passed', 'attempts'] as const
  ).map((one) => [one, words.filters[one]]);
  return (
    <div className={styles.filters}>
      <SelectField
        label={words.filter}
        value={filter}
        options={options}
        onChange={(next) => onShow({ runs: next === 'all' ? undefined : next })}
      />
      {places.length > 1 && (
        <SelectField
          label={words.location}
          value={location}
          options={[
            ['', words.everywhere],
            ...places.map((place) => [place, locationName(place)] as const),
          ]}
          onChange={(next) => onShow({ location: next === '' ? undefined : next })}
        />
      )}
      {until !== undefined && (
        <Button onClick={() => onShow({ until: undefined })}>
          {words.until(moment(Date.parse(until)))} ×
        </Button>
      )}
    </div>
  );
}

function Run({ checkId, run }: { checkId: string; run: RunLine }) {
  const { failure, attempts, resultType } = run;
  const said = failure?.message ?? text.check.run.passed;
  return (
    <tr className={styles.run}>
      <td>
        <div className={styles.result}>
          <StateIcon state={runState(run)} />
          <Link
            className={styles.link}
            to="/checks/$checkId/results/$resultId"
            params={{ checkId, resultId: run.id }}
          >
            {said}
          </Link>
          {resultType === 'ATTEMPT' && (
            <span className={styles.note}>{text.check.run.attempt(attempts + 1)}</span>
          )}
          {resultType === 'FINAL' && attempts > 0 && (
            <span className={styles.note}>{text.check.run.retried(attempts)}</span>
          )}
        </div>
      </td>
      <td className={styles.time}>
        <Time at={run.startedAt ?? run.created_at} />
      </td>
      <td className={styles.place}>{locationName(run.runLocation)}</td>
      <td className={styles.number}>{milliseconds(run.responseTime)}</td>
    </tr>
  );
}

function moveFocus(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(`.${styles.link}`)];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  links[Math.max(0, at + step)]?.focus();
}
