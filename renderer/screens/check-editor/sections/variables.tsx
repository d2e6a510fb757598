import { editorText } from '#renderer/messages/editor.ts';
import { Variables } from '#renderer/parts/form/pairs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { useSetting } from '../editor-context.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.variables;

/** What scripts and templates of the check may use by name. */
export function VariablesSection() {
  const own = useSetting<{ key: string }[] | null | undefined>('environmentVariables') ?? [];
  const given = useGroup()?.environmentVariables ?? [];
  const names = own.map(({ key }) => key).filter(Boolean);
  return (
    <Section
      title={words.title}
      summary={names.length === 0 ? words.none : names.join(', ')}
      paths={['environmentVariables']}
    >
      <p>{words.hint}</p>
      {given.length > 0 && <p>{words.fromGroup(given.map(({ key }) => key).join(', '))}</p>}
      <Variables path="environmentVariables" />
    </Section>
  );
}
