import { editorText } from '#renderer/messages/editor.ts';
import { ScriptInput } from '#renderer/parts/form/script-input.tsx';

const words = editorText;

/** The script of a check. */
export function BrowserForm() {
  return <ScriptInput kind="browser" path="script" label={words.script} minHeight={320} />;
}
