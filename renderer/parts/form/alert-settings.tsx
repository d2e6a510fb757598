import { formText } from '#renderer/messages/editor.ts';
import { SwitchField } from '#renderer/parts/switch.tsx';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import { ChoiceInput, NumberInput, SwitchInput, useMember } from './inputs.tsx';

const words = formText.alerting;

/** When one is alerted, in words that follow on "you are told": `after 2 failed runs`. */
export function alertSentence(settings: Partial<AlertSettings> | null | undefined): string {
  const { escalationType, runBasedEscalation, timeBasedEscalation, reminders } = settings ?? {};
  const first =
    escalationType === 'TIME_BASED'
      ? words.afterMinutes(timeBasedEscalation?.minutesFailingThreshold ?? 5)
      : words.afterRuns(runBasedEscalation?.failedRunThreshold ?? 1);
  const { amount = 0, interval = 5 } = reminders ?? {};
  return amount === 0 ? first : `${first}${words.thenEvery(interval)}`;
}

const UNENDING = 100_000;

/** The fields of alert settings, at a path. */
export function AlertSettingsInputs({ path }: { path: string }) {
  const { value: escalation } = useMember(`${path}.escalationType`);
  const { value: amount } = useMember(`${path}.reminders.amount`);
  const { value: isParallel } = useMember(`${path}.parallelRunFailureThreshold.enabled`);
  const { value: ssl, set: setSsl } = useMember(`${path}.sslCertificates.enabled`);
  return (
    <>
      <ChoiceInput
        path={`${path}.escalationType`}
        label={words.escalation}
        options={[
          ['RUN_BASED', words.runBased],
          ['TIME_BASED', words.timeBased],
        ]}
        fallback="RUN_BASED"
      />
      {escalation === 'TIME_BASED' ? (
        <ChoiceInput
          path={`${path}.timeBasedEscalation.minutesFailingThreshold`}
          label={words.minutes}
          options={[5, 10, 15, 30].map((minutes) => [minutes, words.minutesLong(minutes)])}
          fallback={5}
        />
      ) : (
        <ChoiceInput
          path={`${path}.runBasedEscalation.failedRunThreshold`}
          label={words.runs}
          options={[1, 2, 3, 4, 5].map((runs) => [runs, words.afterRuns(runs)])}
          fallback={1}
        />
      )}
      <ChoiceInput
        path={`${path}.reminders.amount`}
        label={words.reminders}
        options={[
          [0, words.noReminders],
          ...[1, 2, 3, 4, 5].map((count) => [count, words.reminderCount(count)] as const),
          [UNENDING, words.unending],
        ]}
        fallback={0}
      />
      {typeof amount === 'number' && amount > 0 && (
        <ChoiceInput
          path={`${path}.reminders.interval`}
          label={words.interval}
          options={[1, 2, 3, 4, 5, 10, 15, 30].map((minutes) => [
            minutes,
            words.minutesLong(minutes),
          ])}
          fallback={5}
        />
      )}
      <SwitchInput
        path={`${path}.parallelRunFailureThreshold.enabled`}
        label={words.parallel}
        hint={words.parallelHint}
      />
      {isParallel === true && (
        <ChoiceInput
          path={`${path}.parallelRunFailureThreshold.percentage`}
          label={words.percentage}
          options={[10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((part) => [part, `${part} %`])}
          fallback={10}
        />
      )}
      <SwitchField label={words.certificates} isOn={ssl === true} onChange={setSsl} />
      {ssl === true && (
        <NumberInput
          path={`${path}.sslCertificates.alertThreshold`}
          label={words.certificateDays}
          placeholder="30"
          unit={words.days}
          empty={undefined}
        />
      )}
    </>
  );
}
