import { editorText } from '#renderer/messages/editor.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';
import { AssertionsSection } from '../sections/assertions.tsx';
import { HttpOptions } from '../sections/http-options.tsx';
import { LimitsSection } from '../sections/limits.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from './type-sections.tsx';

const words = editorText;

/** Is this address up? */
export function UrlForm() {
  return (
    <>
      <TextInput
        path="request.url"
        label={words.url}
        placeholder="https://example.com/"
        inputMode="url"
        isCode
      />
      <TryIt />
      <TypeSections>
        <AssertionsSection />
        <LimitsSection />
        <HttpOptions />
      </TypeSections>
    </>
  );
}
