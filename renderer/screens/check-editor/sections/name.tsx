import { editorText } from '#renderer/messages/editor.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';

/** What the check is called. */
export function NameInput() {
  return <TextInput path="name" label={editorText.name} placeholder={editorText.namePlaceholder} />;
}
