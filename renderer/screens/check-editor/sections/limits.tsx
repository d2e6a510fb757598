import { editorText } from '#renderer/messages/editor.ts';
import { NumberInput, SwitchInput } from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { milliseconds } from '#renderer/parts/format.ts';
import { useEdited, useSetting } from '../editor-context.ts';

const words = editorText.limits;
const MS = editorText.milliseconds;

/** How slow is degraded, how slow is failed, and what counts as a failure at all. */
export function LimitsSection() {
  const { type } = useEdited();
  const degraded = useSetting<number | null>('degradedResponseTime');
  const most = useSetting<number | null>('maxResponseTime');
  const shouldFail = useSetting<boolean>('shouldFail');
  const lossDegraded = useSetting<number | null | undefined>('degradedPacketLossThreshold');
  const lossMost = useSetting<number | null | undefined>('maxPacketLossThreshold');
  return (
    <Section
      title={words.title}
      summary={`${words.summary(said(degraded), said(most))}${shouldFail ? words.inverted : ''}`}
      paths={[
        'degradedResponseTime',
        'maxResponseTime',
        'degradedPacketLossThreshold',
        'maxPacketLossThreshold',
        'shouldFail',
      ]}
    >
      <NumberInput
        path="degradedResponseTime"
        label={words.degraded}
        unit={MS}
        placeholder={placeholder(degraded)}
      />
      <NumberInput
        path="maxResponseTime"
        label={words.failed}
        unit={MS}
        placeholder={placeholder(most)}
      />
      {type === 'ICMP' && (
        <>
          <NumberInput
            path="degradedPacketLossThreshold"
            label={words.lossDegraded}
            unit="%"
            placeholder={placeholder(lossDegraded)}
          />
          <NumberInput
            path="maxPacketLossThreshold"
            label={words.lossFailed}
            unit="%"
            placeholder={placeholder(lossMost)}
          />
        </>
      )}
      <SwitchInput path="shouldFail" label={words.shouldFail} hint={words.shouldFailHint} />
    </Section>
  );
}

function said(limit: number | null): string | null {
  return typeof limit === 'number' ? milliseconds(limit) : null;
}

function placeholder(limit: number | null | undefined): string {
  return typeof limit === 'number' ? String(limit) : words.unlimited;
}
