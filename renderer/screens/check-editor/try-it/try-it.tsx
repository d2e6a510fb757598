import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useKeys } from '#renderer/app/keys.ts';
import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { resultText } from '#renderer/messages/result.ts';
import { Button } from '#renderer/parts/button.tsx';
import { useOfNow } from '#renderer/parts/clock.ts';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { milliseconds, span } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';
import { Panel } from '#renderer/parts/panel.tsx';
import { Details } from '#renderer/parts/run/details.tsx';
import { StateBadge } from '#renderer/parts/state-badge.tsx';
import { Waterfall } from '#renderer/parts/waterfall.tsx';
import { phasesOf } from '#shared/results/phases.ts';
import { runState } from '#shared/summaries/check-state.ts';
import { reasonOfTrial } from './trial-reason.ts';
import styles from './try-it.module.css';
import { type TrialResult, useTrial } from './use-trial.ts';

const words = editorText.tryIt;
const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Runs the check as it is typed, before it is saved, and shows all that the run found. */
export function TryIt() {
  const form = useFormAround();
  const trial = useTrial();
  const [isHidden, setHidden] = useState(false);
  const run = () => {
    const name = form.body.name === '' ? words.name : form.body.name;
    setHidden(false);
    trial.run({ ...form.body, name }).catch(form.refuse);
  };
  useKeys([{ key: 'mod+enter', label: words.action, run }]);
  return (
    <section className={styles.trial} aria-label={words.title}>
      <div className={styles.line}>
        {trial.isRunning ? (
          <Button onClick={trial.cancel}>
            <Square {...ICON} />
            {text.parts.cancel}
          </Button>
        ) : (
          <Button onClick={run}>
            <Play {...ICON} />
            {words.action}
          </Button>
        )}
        <div role="status" className={styles.said}>
          {trial.isRunning ? (
            <Running since={trial.since} />
          ) : trial.result === undefined ? (
            words.hint
          ) : (
            <Standing result={trial.result} />
          )}
        </div>
        {trial.result !== undefined && (
          <Button kind="quiet" aria-expanded={!isHidden} onClick={() => setHidden(!isHidden)}>
            {isHidden ? words.show : words.hide}
          </Button>
        )}
      </div>
      {trial.result !== undefined && !isHidden && <Found result={trial.result} />}
    </section>
  );
}

/** How long it takes so far: what it logs comes with its end. */
function Running({ since }: { since: number }) {
  const time = useOfNow((now) => span(Math.max(0, now - since)));
  return <span aria-live="off">{words.running(time)}</span>;
}

function Standing({ result }: { result: TrialResult }) {
  const { responseTime, runLocation } = result;
  const state = runState(result);
  return (
    <>
      <StateBadge state={state}>{resultText.states[state]}</StateBadge> {reasonOfTrial(result)}{' '}
      <span className={styles.faint}>
        {responseTime !== null && `${milliseconds(responseTime)} · `}
        {locationName(runLocation)}
      </span>
    </>
  );
}

function Found({ result }: { result: TrialResult }) {
  const form = useFormAround();
  const phases = phasesOf(result);
  return (
    <div className={styles.found}>
      {phases.length > 0 && (
        <Panel title={resultText.waterfall}>
          <Waterfall phases={phases} />
        </Panel>
      )}
      <Details
        result={result}
        check={{
          localSetupScript: form.get('localSetupScript') as string | null,
          localTearDownScript: form.get('localTearDownScript') as string | null,
        }}
      />
    </div>
  );
}
