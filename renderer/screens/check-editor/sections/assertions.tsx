import { Plus } from 'lucide-react';
import { editorText } from '#renderer/messages/editor.ts';
import { assertablesOf } from '#renderer/parts/form/assertable.ts';
import { Assertions, sentenceOf } from '#renderer/parts/form/assertions.tsx';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { Section } from '#renderer/parts/form/section.tsx';
import type { Assertion } from '#shared/checks/blocks.ts';
import { offeredAssertions } from '#shared/results/offered-assertions.ts';
import styles from '../check-editor.module.css';
import { useEdited, useSetting } from '../editor-context.ts';
import { useTrial } from '../try-it/use-trial.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.assertions;
const PATH = 'request.assertions';

/** What a good answer is. */
export function AssertionsSection() {
  const { type } = useEdited();
  const own = useSetting<Assertion[]>(PATH) ?? [];
  const group = useGroup();
  const given = type === 'API' ? (group?.apiCheckDefaults.assertions ?? []) : [];
  const said = [...own, ...given].map(sentenceOf);
  return (
    <Section
      title={words.title}
      summary={said.length === 0 ? words.none[type] : said.join(', ')}
      paths={[PATH]}
    >
      {given.length > 0 && <p>{words.fromGroup(given.map(sentenceOf).join(', '))}</p>}
      <Assertions path={PATH} type={type} label={words.title} />
      <Offered own={own} />
    </Section>
  );
}

/** What the last try found, to assert that it stays so. */
function Offered({ own }: { own: readonly Assertion[] }) {
  const form = useFormAround();
  const { type } = useEdited();
  const { result } = useTrial();
  if (result === undefined) return <p className={styles.hint}>{words.tryFirst}</p>;
  const known = assertablesOf(type);
  const isNew = ({ source, property }: Assertion) =>
    source in known && own.every((one) => one.source !== source || one.property !== property);
  const offered = offeredAssertions(result).filter(isNew);
  if (offered.length === 0) return null;
  return (
    <div>
      <h3 className={styles.offeredHead}>{words.offered}</h3>
      <ul className={styles.offered} aria-label={words.offered}>
        {offered.map((one) => (
          <li key={`${one.source} ${one.property}`}>
            <button
              type="button"
              className={styles.offer}
              onClick={() => form.set(PATH, [...own, one])}
            >
              <Plus size={14} strokeWidth={1.5} aria-hidden />
              <span className={styles.offerText}>{sentenceOf(one)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
