import { text } from '#renderer/messages/messages.ts';
import type { RunPhase } from '#shared/results/phases.ts';
import { milliseconds } from './format.ts';
import { join } from './join.ts';
import styles from './waterfall.module.css';

interface WaterfallProps {
  phases: readonly RunPhase[];
  /** Those of the last good run, drawn behind. */
  before?: readonly RunPhase[] | undefined;
  /** Phases that took longer than they usually do. */
  slow?: ReadonlySet<RunPhase['name']>;
}

/** The phases of a run on one scale. */
export function Waterfall({ phases, before = [], slow }: WaterfallProps) {
  const end = (all: readonly RunPhase[]) => {
    const last = all.at(-1);
    return last === undefined ? 0 : last.startMs + last.durationMs;
  };
  const whole = Math.max(end(phases), end(before), 0.001);
  const place = ({ startMs, durationMs }: RunPhase) => ({
    left: `${(startMs / whole) * 100}%`,
    width: `${(durationMs / whole) * 100}%`,
  });
  return (
    <table className={styles.waterfall}>
      <caption className={styles.unseen}>{text.parts.waterfall}</caption>
      <tbody>
        {phases.map((phase) => {
          const ghost = before.find(({ name }) => name === phase.name);
          return (
            <tr key={phase.name}>
              <th scope="row">{text.parts.phases[phase.name]}</th>
              <td className={styles.scale}>
                <div className={styles.track}>
                  <div
                    className={join(styles.bar, slow?.has(phase.name) && styles.slow)}
                    style={place(phase)}
                  />
                  {ghost !== undefined && <div className={styles.ghost} style={place(ghost)} />}
                </div>
              </td>
              <td className={styles.time}>{milliseconds(phase.durationMs)}</td>
              {before.length > 0 && (
                <td className={styles.before}>
                  {ghost === undefined ? text.parts.none : milliseconds(ghost.durationMs)}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
