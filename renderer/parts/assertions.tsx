import { text } from '#renderer/messages/messages.ts';
import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import styles from './assertions.module.css';
import { StateIcon } from './state-icon.tsx';

const words = text.parts.assertions;
const MAX_CHARS = 500;

/** Assertions with what was wanted and what was seen; in one that does not hold the difference is marked. */
export function Assertions({ outcomes }: { outcomes: readonly AssertionOutcome[] }) {
  return (
    <ul className={styles.assertions}>
      {outcomes.map((outcome) => (
        <Assertion key={outcome.order} outcome={outcome} />
      ))}
    </ul>
  );
}

function Assertion({ outcome }: { outcome: AssertionOutcome }) {
  const { source, property, comparison, target, regex, error, actual } = outcome;
  const isHeld = error === null;
  const seen = shown(actual);
  return (
    <li className={styles.assertion}>
      <StateIcon state={isHeld ? 'passing' : 'failing'} />
      <div className={styles.words}>
        <p>
          <span className={styles.source}>{words.sources[source] ?? source}</span>{' '}
          {[property, regex].filter(Boolean).map((part) => (
            <code key={part} className={styles.part}>
              {part}
            </code>
          ))}
          {words.comparisons[comparison]} {target !== '' && <code>{target}</code>}
        </p>
        {isHeld ? (
          seen !== null && (
            <p className={styles.seen}>
              {words.seen} <code>{seen}</code>
            </p>
          )
        ) : (
          <Difference comparison={comparison} wanted={target ?? ''} seen={seen} error={error} />
        )}
      </div>
    </li>
  );
}

/** Only texts that should be equal have a difference that can be marked; of others the sentence says it. */
function Difference({
  comparison,
  wanted,
  seen,
  error,
}: {
  comparison: string;
  wanted: string;
  seen: string | null;
  error: string;
}) {
  if (comparison !== 'EQUALS' || seen === null) return <p className={styles.error}>{error}</p>;
  const { start, end } = commonEnds(wanted, seen);
  return (
    <p className={styles.error}>
      {words.seen}{' '}
      <code>
        {seen.slice(0, start)}
        <mark className={styles.mark}>{seen.slice(start, seen.length - end) || '∅'}</mark>
        {seen.slice(seen.length - end)}
      </code>{' '}
      {words.wanted}{' '}
      <code>
        {wanted.slice(0, start)}
        <mark className={styles.wanted}>{wanted.slice(start, wanted.length - end) || '∅'}</mark>
        {wanted.slice(wanted.length - end)}
      </code>
    </p>
  );
}

/** How many characters two texts begin and end with alike. */
export function commonEnds(one: string, other: string): { start: number; end: number } {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}

function shown(actual: unknown): string | null {
  if (actual === null || actual === undefined) return null;
  const said = typeof actual === 'string' ? actual : JSON.stringify(actual);
  return said.slice(0, MAX_CHARS);
}
