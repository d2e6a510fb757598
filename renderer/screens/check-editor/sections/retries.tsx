import { useQuery } from '@tanstack/react-query';
import { editorText } from '#renderer/messages/editor.ts';
import { SwitchInput } from '#renderer/parts/form/inputs.tsx';
import { RetryStrategyInputs, retrySentence } from '#renderer/parts/form/retry-strategy.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import { useEdited, useSetting } from '../editor-context.ts';
import { accountQuery } from '../queries.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.retries;

type Strategy = RetryStrategy | 'FALLBACK' | null | undefined;

/** Whether a failed run is tried again. */
export function RetriesSection() {
  const { type } = useEdited();
  const strategy = useSetting<Strategy>('retryStrategy');
  const doubleCheck = useSetting<boolean | undefined>('doubleCheck') ?? false;
  const { data: account } = useQuery(accountQuery);
  const group = useGroup();
  const isFallback = strategy === undefined || strategy === 'FALLBACK';
  const ofAccount = account?.retryStrategy ?? 'FALLBACK';
  const fallback =
    ofAccount === 'FALLBACK' ? (doubleCheck ? words.once : words.none) : retrySentence(ofAccount);
  const byGroup = group !== undefined && group.retryStrategy !== 'FALLBACK';
  const own = isFallback ? fallback : retrySentence(strategy);
  return (
    <Section
      title={words.title}
      summary={byGroup ? words.byGroup(group.name) : own}
      paths={['retryStrategy', 'doubleCheck']}
    >
      {byGroup && <p>{words.groupDecides(group.name)}</p>}
      <RetryStrategyInputs path="retryStrategy" fallback={words.fallback(fallback)} />
      {isFallback && ofAccount === 'FALLBACK' && type !== 'PLAYWRIGHT' && (
        <SwitchInput path="doubleCheck" label={words.doubleCheck} fallback />
      )}
    </Section>
  );
}
