import { resultText } from '#renderer/messages/result.ts';
import { milliseconds } from '#renderer/parts/format.ts';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { TestStatus, TestStep } from '#shared/playwright/detail.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import styles from './run.module.css';
import type { ScriptedDetail } from './scripted-detail.ts';

const words = resultText;

const ICONS: Readonly<Record<TestStatus, CheckState>> = {
  passed: 'passing',
  failed: 'failing',
  timedOut: 'failing',
  interrupted: 'inconclusive',
  skipped: 'paused',
};

/** Tests with their steps; those that failed are open. */
export function Tests({ tests }: Pick<ScriptedDetail, 'tests'>) {
  return (
    <ul>
      {tests.map(({ title, status, durationMs, error, steps = [], project, file }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tests stay where they are, and may be alike
        <li key={index} className={styles.test}>
          <details open={error !== undefined || tests.length === 1}>
            <summary className={styles.step}>
              <StateIcon state={ICONS[status] ?? 'inconclusive'} isNamed={false} />
              <span className={styles.stepTitle}>{title}</span>
              <span className={styles.faint}>
                {[project, file, words.testStatuses[status] ?? status].filter(Boolean).join(' · ')}
              </span>
              <span className={styles.end}>{milliseconds(durationMs)}</span>
            </summary>
            {error !== undefined && steps.length === 0 && <FirstLine error={error} />}
            <Steps steps={steps} />
          </details>
        </li>
      ))}
    </ul>
  );
}

/** All of it stands among the errors of the run. */
function FirstLine({ error }: { error: string }) {
  return <p className={styles.firstLine}>{error.split('\n', 1)[0]}</p>;
}

function Steps({ steps }: { steps: readonly TestStep[] }) {
  if (steps.length === 0) return null;
  return (
    <ul className={styles.steps}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps stay where they are, and may be alike
        <li key={index}>
          <Step step={step} />
        </li>
      ))}
    </ul>
  );
}

function Step({ step: { title, durationMs, error, steps } }: { step: TestStep }) {
  const state: CheckState =
    error !== undefined ? 'failing' : durationMs === null ? 'inconclusive' : 'passing';
  const line = (
    <>
      <StateIcon state={state} size={14} />
      <span className={styles.stepTitle}>{title}</span>
      <span className={styles.end}>
        {durationMs === null ? words.neverEnded : milliseconds(durationMs)}
      </span>
    </>
  );
  const message = error !== undefined && <FirstLine error={error} />;
  if (steps.length === 0) {
    return (
      <>
        <div className={styles.step}>{line}</div>
        {message}
      </>
    );
  }
  return (
    <details open={error !== undefined}>
      <summary className={styles.step}>{line}</summary>
      {message}
      <Steps steps={steps} />
    </details>
  );
}
