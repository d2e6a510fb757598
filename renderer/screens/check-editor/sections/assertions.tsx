import { Plus } from 'lucide-react';
import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { ChoiceInput } from '#renderer/parts/form/inputs.tsx';
import { RowField, Rows } from '#renderer/parts/form/rows.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import type { Assertion } from '#shared/checks/blocks.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import { offeredAssertions } from '#shared/results/offered-assertions.ts';
import { assertablesOf, needsTarget } from '../assertable.ts';
import styles from '../check-editor.module.css';
import { useEdited, useSetting } from '../editor-context.ts';
import { useTrial } from '../try-it/use-trial.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.assertions;
const { sources, comparisons } = text.parts.assertions;
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
      <Rows<Assertion>
        path={PATH}
        label={words.title}
        addLabel={words.add}
        removeLabel={words.remove}
        blank={blankOf(type, own)}
      >
        {(assertion, index) => <AssertionRow assertion={assertion} index={index} />}
      </Rows>
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

/** `Status equals 200`. */
export function sentenceOf({ source, property, comparison, target }: Assertion): string {
  return [sources[source] ?? source, property, comparisons[comparison], target]
    .filter(Boolean)
    .join(' ');
}

/** The next one that is likely: of the first source that no assertion looks at yet. */
function blankOf(type: CheckType, own: readonly Assertion[]): Assertion {
  const offered = Object.entries(assertablesOf(type));
  const unused = offered.find(([source]) => own.every((one) => one.source !== source));
  const [source = '', assertable] = unused ?? offered[0] ?? [];
  return {
    source,
    property: '',
    comparison: assertable?.comparisons[0] ?? 'EQUALS',
    target: assertable?.target ?? '',
    regex: '',
  };
}

function AssertionRow({ assertion, index }: { assertion: Assertion; index: number }) {
  const { type } = useEdited();
  const form = useFormAround();
  const path = `${PATH}.${index}`;
  const assertables = assertablesOf(type);
  const { source, comparison } = assertion;
  const { property, comparisons: offered } = assertables[source] ?? {
    property: 'pattern' as const,
    comparisons: [comparison],
  };
  const choose = (next: string) => {
    const chosen = assertables[next];
    if (chosen === undefined) return;
    const isKept = chosen.comparisons.includes(comparison);
    form.set(path, {
      ...assertion,
      source: next,
      property: '',
      regex: '',
      comparison: isKept ? comparison : chosen.comparisons[0],
      target: assertion.target || chosen.target,
    });
  };
  return (
    <div className={styles.assertion}>
      <div data-path={`${path}.source`} className={styles.narrow}>
        <SelectField
          label={words.source}
          error={form.error(`${path}.source`)}
          value={source}
          options={[...new Set([...Object.keys(assertables), source])].map((one) => [
            one,
            sources[one] ?? one,
          ])}
          onChange={choose}
        />
      </div>
      {property !== null && (
        <RowField
          path={`${path}.property`}
          label={words.properties[property]}
          placeholder={words.placeholders[property]}
          isCode
        />
      )}
      <div className={styles.narrow}>
        <ChoiceInput
          path={`${path}.comparison`}
          label={words.comparison}
          options={[...new Set([...offered, comparison])].map((one) => [one, comparisons[one]])}
          fallback="EQUALS"
        />
      </div>
      {needsTarget(comparison) && <RowField path={`${path}.target`} label={words.target} isCode />}
    </div>
  );
}
