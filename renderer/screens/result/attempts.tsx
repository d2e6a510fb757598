import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ShownResult } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import styles from '#renderer/parts/run/run.module.css';
import { Scrolling } from '#renderer/parts/run/scrolling.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import { Time } from '#renderer/parts/time.tsx';
import { phasesOf } from '#shared/results/phases.ts';
import { runState } from '#shared/summaries/check-state.ts';
import { attemptsQuery } from './queries.ts';

const words = resultText;

/** The attempts of the run of a result; `isComing` until they are known, or cannot be. */
export function useAttempts(result: ShownResult) {
  const isOneOfMany = result.attempts > 0 || result.resultType === 'ATTEMPT';
  const query = useQuery({ ...attemptsQuery(result), enabled: isOneOfMany });
  return { attempts: query.data ?? [], isComing: query.isLoading };
}

/** The attempts of a run side by side; nothing where there was only one. */
export function Attempts({ result }: { result: ShownResult }) {
  const { attempts } = useAttempts(result);
  if (attempts.length < 2) return null;
  const phases = attempts.map(phasesOf);
  const names = phases[0]?.map(({ name }) => name) ?? [];
  return (
    <Panel title={words.attempts}>
      <Scrolling>
        <table className={styles.table}>
          <thead>
            <tr>
              <td />
              {attempts.map((one) => (
                <th key={one.id} scope="col" aria-current={one.id === result.id || undefined}>
                  <Link
                    to="/checks/$checkId/results/$resultId"
                    params={{ checkId: one.checkId, resultId: one.id }}
                  >
                    {words.attempt(one.attempts + 1)}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{words.result}</th>
              {attempts.map((one) => (
                <td key={one.id}>
                  <span className={styles.state}>
                    <StateIcon state={runState(one)} />
                    {one.failure?.message ?? words.states[runState(one)]}
                  </span>
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{words.started}</th>
              {attempts.map((one) => (
                <td key={one.id}>
                  <Time at={one.startedAt ?? one.created_at} />
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{words.duration}</th>
              {attempts.map((one) => (
                <td key={one.id}>{milliseconds(one.responseTime)}</td>
              ))}
            </tr>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{text.parts.phases[name]}</th>
                {attempts.map((one, index) => {
                  const phase = phases[index]?.find((other) => other.name === name);
                  return (
                    <td key={one.id}>
                      {phase === undefined ? text.parts.none : milliseconds(phase.durationMs)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Panel>
  );
}
