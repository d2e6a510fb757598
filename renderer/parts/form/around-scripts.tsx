import { useQuery } from '@tanstack/react-query';
import { editorText } from '#renderer/messages/editor.ts';
import { snippetsQuery } from '#renderer/parts/script-queries.ts';
import { ChoiceInput } from './inputs.tsx';
import { ScriptInput } from './script-input.tsx';

const words = editorText.scripts;

/** A snippet and a script that run before a request, and those that run after it. */
export function AroundScripts() {
  const { data: snippets = [] } = useQuery(snippetsQuery);
  const options: (readonly [number | null, string])[] = [
    [null, words.noSnippet],
    ...snippets.map(({ id, name }) => [id, name] as const),
  ];
  return (
    <>
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
    </>
  );
}
