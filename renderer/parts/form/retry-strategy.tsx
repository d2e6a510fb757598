import { formText } from '#renderer/messages/editor.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import { NumberInput, SwitchInput, useMember } from './inputs.tsx';

const words = formText.retry;
const TYPES = ['SINGLE_RETRY', 'FIXED', 'LINEAR', 'EXPONENTIAL'] as const;
type Kind = (typeof TYPES)[number] | 'NONE' | 'FALLBACK';

const NEW = { baseBackoffSeconds: 60, sameRegion: true };

/** What a strategy does, in a sentence. */
export function retrySentence(strategy: RetryStrategy | null): string {
  if (strategy === null) return words.never;
  const { type, maxRetries = 2, baseBackoffSeconds } = strategy;
  if (type === 'SINGLE_RETRY') return words.single(baseBackoffSeconds);
  return words.sentences[type](maxRetries, baseBackoffSeconds);
}

/**
 * The fields of a retry strategy.
 *
 * @param fallback what happens where there is none: it is offered where it is given
 */
export function RetryStrategyInputs({ path, fallback }: { path: string; fallback?: string }) {
  const { value, set, error } = useMember(path);
  const { value: onlyOn, set: setOnlyOn } = useMember(`${path}.onlyOn`);
  const kind = kindOf(value);
  const choose = (next: Kind) => {
    if (next === 'NONE') set(null);
    else if (next === 'FALLBACK') set('FALLBACK');
    else {
      const before = typeof value === 'object' && value !== null ? value : NEW;
      // A single retry is one: a number beside it is refused.
      const { maxRetries: _, ...single } = before as Partial<RetryStrategy>;
      set({ ...(next === 'SINGLE_RETRY' ? single : before), type: next });
    }
  };
  return (
    <>
      <div data-path={path}>
        <SelectField<Kind>
          label={words.kind}
          error={error}
          value={kind}
          options={[
            ...(fallback === undefined ? [] : [['FALLBACK', fallback] as const]),
            ['NONE', words.never] as const,
            ...TYPES.map((type) => [type, words.kinds[type]] as const),
          ]}
          onChange={choose}
        />
      </div>
      {kind !== 'NONE' && kind !== 'FALLBACK' && (
        <>
          <NumberInput
            path={`${path}.baseBackoffSeconds`}
            label={words.backoff}
            unit={words.seconds}
          />
          {kind !== 'SINGLE_RETRY' && (
            <NumberInput
              path={`${path}.maxRetries`}
              label={words.maxRetries}
              placeholder="2"
              empty={undefined}
            />
          )}
          <NumberInput
            path={`${path}.maxDurationSeconds`}
            label={words.maxDuration}
            unit={words.seconds}
            placeholder="600"
            empty={undefined}
          />
          <SwitchInput path={`${path}.sameRegion`} label={words.sameRegion} />
          <SwitchField
            label={words.onlyNetwork}
            isOn={Array.isArray(onlyOn) && onlyOn.length > 0}
            onChange={(isOn) => setOnlyOn(isOn ? ['NETWORK_ERROR'] : undefined)}
          />
        </>
      )}
    </>
  );
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'NONE';
  return typeof value === 'object' ? (value as RetryStrategy).type : 'FALLBACK';
}
