import { useQuery } from '@tanstack/react-query';
import { editorText } from '#renderer/messages/editor.ts';
import { ChoiceInput } from '#renderer/parts/form/inputs.tsx';
import { ScriptInput } from '#renderer/parts/form/script-input.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { snippetsQuery } from '#renderer/parts/script-queries.ts';
import { useSetting } from '../editor-context.ts';

const words = editorText.scripts;

/** What runs before the request, and after it. */
export function ScriptsSection() {
  const { data: snippets = [] } = useQuery(snippetsQuery);
  const setup = useSetting<string | null>('localSetupScript');
  const tearDown = useSetting<string | null>('localTearDownScript');
  const setupSnippet = useSetting<number | null>('setupSnippetId');
  const tearDownSnippet = useSetting<number | null>('tearDownSnippetId');
  const options: (readonly [number | null, string])[] = [
    [null, words.noSnippet],
    ...snippets.map(({ id, name }) => [id, name] as const),
  ];
  return (
    <Section
      title={words.title}
      summary={words.summary(Boolean(setup ?? setupSnippet), Boolean(tearDown ?? tearDownSnippet))}
      paths={['localSetupScript', 'localTearDownScript', 'setupSnippetId', 'tearDownSnippetId']}
    >
      <ChoiceInput
        path="setupSnippetId"
        label={words.setupSnippet}
        options={options}
        fallback={null}
      />
      <ScriptInput
        kind="setup"
        path="localSetupScript"
        label={words.setup}
        hint={words.setupHint}
        empty={null}
      />
      <ChoiceInput
        path="tearDownSnippetId"
        label={words.tearDownSnippet}
        options={options}
        fallback={null}
      />
      <ScriptInput
        kind="teardown"
        path="localTearDownScript"
        label={words.tearDown}
        hint={words.tearDownHint}
        empty={null}
      />
    </Section>
  );
}
