import { editorText } from '#renderer/messages/editor.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';

const words = editorText;

/** Where the project of a check is, and its command. */
export function PlaywrightForm() {
  return (
    <>
      <TextInput path="codeBundlePath" label={words.project} isCode />
      <TextInput path="testCommand" label={words.command} isCode />
    </>
  );
}
