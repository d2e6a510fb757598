import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { editorText } from '#renderer/messages/editor.ts';
import { snippetsQuery } from '#renderer/parts/script-queries.ts';
import { ChoiceInput } from './inputs.tsx';
import { ScriptInput } from './script-input.tsx';

const words = editorText.scripts;

const SIDES = [
  {
    kind: 'setup',
    snippet: { path: 'setupSnippetId', label: words.setupSnippet },
    script: { path: 'localSetupScript', label: words.setup, hint: words.setupHint },
  },
  {
    kind: 'teardown',
    snippet: { path: 'tearDownSnippetId', label: words.tearDownSnippet },
    script: { path: 'localTearDownScript', label: words.tearDown, hint: words.tearDownHint },
  },
] as const;

/** A snippet and a script that run before a request, and those that run after it. */
export function AroundScripts() {
  const { data: snippets = [] } = useQuery(snippetsQuery);
  const options: (readonly [number | null, string])[] = [
    [null, words.noSnippet],
    ...snippets.map(({ id, name }) => [id, name] as const),
  ];
  return SIDES.map(({ kind, snippet, script }) => (
    <Fragment key={kind}>
      <ChoiceInput {...snippet} options={options} fallback={null} />
      <ScriptInput {...script} kind={kind} empty={null} />
    </Fragment>
  ));
}
