import { editorText } from '#renderer/messages/editor.ts';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { ChoiceInput, NumberInput } from '#renderer/parts/form/inputs.tsx';
import styles from '../check-editor.module.css';

const words = editorText;
const UNITS = Object.entries(words.units).map(([unit, name]) => [unit, name] as const);

/** How often a job reports in, and how late it may be. */
export function HeartbeatForm() {
  const form = useFormAround();
  const said = (name: string) =>
    `${form.get(`heartbeat.${name}`) ?? ''} ${form.get(`heartbeat.${name}Unit`)}`;
  return (
    <>
      <div className={styles.fields}>
        <Span name="period" label={words.period} />
        <Span name="grace" label={words.grace} />
      </div>
      <p className={styles.said}>{words.heartbeatSentence(said('period'), said('grace'))}</p>
    </>
  );
}

function Span({ name, label }: { name: string; label: string }) {
  return (
    <div className={styles.span}>
      <NumberInput path={`heartbeat.${name}`} label={label} empty={undefined} />
      <ChoiceInput
        path={`heartbeat.${name}Unit`}
        label={words.unitOf(label)}
        options={UNITS}
        fallback="minutes"
      />
    </div>
  );
}
