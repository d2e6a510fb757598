import { editorText } from '#renderer/messages/editor.ts';
import { AroundScripts } from '#renderer/parts/form/around-scripts.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { useSetting } from '../editor-context.ts';

const words = editorText.scripts;

/** What runs before the request, and after it. */
export function ScriptsSection() {
  const setup = useSetting<string | null>('localSetupScript');
  const tearDown = useSetting<string | null>('localTearDownScript');
  const setupSnippet = useSetting<number | null>('setupSnippetId');
  const tearDownSnippet = useSetting<number | null>('tearDownSnippetId');
  return (
    <Section
      title={words.title}
      summary={words.summary(Boolean(setup ?? setupSnippet), Boolean(tearDown ?? tearDownSnippet))}
      paths={['localSetupScript', 'localTearDownScript', 'setupSnippetId', 'tearDownSnippetId']}
    >
      <AroundScripts />
    </Section>
  );
}
