import { editorText } from '#renderer/messages/editor.ts';
import { ChoiceInput, TextInput } from '#renderer/parts/form/inputs.tsx';
import styles from '../check-editor.module.css';
import { AssertionsSection } from '../sections/assertions.tsx';
import { BodySection } from '../sections/body.tsx';
import { HttpOptions } from '../sections/http-options.tsx';
import { LimitsSection } from '../sections/limits.tsx';
import { HeadersSection, ParametersSection, SignInSection } from '../sections/request.tsx';
import { ScriptsSection } from '../sections/scripts.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from './type-sections.tsx';

const words = editorText;
const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH'] as const;

/** A request of any kind, with assertions on what comes back. */
export function ApiForm() {
  return (
    <>
      <div className={styles.requestLine}>
        <ChoiceInput
          path="request.method"
          label={words.method}
          options={METHODS.map((method) => [method, method])}
          fallback="GET"
        />
        <TextInput
          path="request.url"
          label={words.url}
          placeholder="https://example.com/api/health"
          inputMode="url"
          isCode
        />
      </div>
      <TryIt />
      <TypeSections>
        <ParametersSection />
        <HeadersSection />
        <BodySection />
        <SignInSection />
        <AssertionsSection />
        <LimitsSection />
        <ScriptsSection />
        <HttpOptions />
      </TypeSections>
    </>
  );
}
