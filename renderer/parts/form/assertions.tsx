import { editorText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import type { Assertion } from '#shared/checks/blocks.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import { assertablesOf, needsTarget } from './assertable.ts';
import styles from './assertions.module.css';
import { useFormAround } from './form.ts';
import { ChoiceInput, useMember } from './inputs.tsx';
import { RowField, Rows } from './rows.tsx';

const words = editorText.assertions;
const { sources, comparisons } = text.parts.assertions;

interface AssertionsProps {
  /** Of the list, dotted. */
  path: string;
  /** Of the checks whose runs they look at. */
  type: CheckType;
  label: string;
  /** Whether the label is seen, as the list is one of several in its section. */
  isLabelled?: boolean;
}

/** What a good answer is, assertion by assertion. */
export function Assertions({ path, type, label, isLabelled = false }: AssertionsProps) {
  const { value } = useMember(path);
  return (
    <Rows<Assertion>
      path={path}
      label={label}
      isLabelled={isLabelled}
      addLabel={words.add}
      removeLabel={words.remove}
      blank={blankOf(type, Array.isArray(value) ? value : [])}
    >
      {(assertion, index) => (
        <AssertionRow path={`${path}.${index}`} type={type} assertion={assertion} />
      )}
    </Rows>
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

function AssertionRow({
  path,
  type,
  assertion,
}: Pick<AssertionsProps, 'path' | 'type'> & { assertion: Assertion }) {
  const form = useFormAround();
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
