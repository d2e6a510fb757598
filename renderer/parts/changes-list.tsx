import { text } from '#renderer/messages/messages.ts';
import type { Change } from '#shared/results/changes.ts';
import styles from './changes-list.module.css';
import { milliseconds } from './format.ts';

const words = text.parts.changes;

/** What is another than in the last good run: what it was, and what it became. */
export function ChangesList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className={styles.none}>{words.none}</p>;
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={`${change.kind} ${change.name}`} className={styles.change}>
          <dt className={isCode(change) ? styles.code : undefined}>{nameOf(change)}</dt>
          <dd>
            {change.kind === 'phase' ? (
              <PhaseChange change={change} />
            ) : (
              <>
                <del className={isCode(change) ? styles.code : undefined}>
                  {change.before ?? words.absent}
                </del>
                <span className={styles.arrow} role="img" aria-label={words.became}>
                  →
                </span>
                <ins className={isCode(change) ? styles.code : undefined}>
                  {change.after ?? words.absent}
                </ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PhaseChange({ change }: { change: Extract<Change, { kind: 'phase' }> }) {
  const { before, after, usual } = change;
  return (
    <>
      {milliseconds(before)}
      <span className={styles.arrow} role="img" aria-label={words.became}>
        →
      </span>
      <ins>{milliseconds(after)}</ins>
      {usual !== null && (
        <span className={styles.usual}>
          {words.usually(milliseconds(usual.p50), milliseconds(usual.p95))}
        </span>
      )}
    </>
  );
}

function isCode({ kind, name }: Change): boolean {
  return kind === 'header' || kind === 'url' || (kind === 'body' && name !== '');
}

function nameOf(change: Change): string {
  if (change.kind === 'phase') return text.parts.phases[change.name];
  const { [change.kind]: name } = words;
  return typeof name === 'string' ? name : name(change.name);
}
