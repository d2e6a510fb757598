import { editorText } from '#renderer/messages/editor.ts';
import {
  ChoiceInput,
  NumberInput,
  TextAreaInput,
  TextInput,
} from '#renderer/parts/form/inputs.tsx';
import { IP_FAMILIES } from '#shared/checks/blocks.ts';
import styles from '../check-editor.module.css';
import { AssertionsSection } from '../sections/assertions.tsx';
import { LimitsSection } from '../sections/limits.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from './type-sections.tsx';

const words = editorText;

/** Does a port accept connections, and answer as it should? */
export function TcpForm() {
  return (
    <>
      <div className={styles.fields}>
        <TextInput path="request.hostname" label={words.host} placeholder="db.example.com" isCode />
        <NumberInput path="request.port" label={words.port} placeholder="5432" empty={undefined} />
        <ChoiceInput
          path="request.ipFamily"
          label={words.ipFamily}
          options={IP_FAMILIES.map((family) => [family, family])}
          fallback="IPv4"
        />
      </div>
      <TextAreaInput
        path="request.data"
        label={words.data}
        hint={words.dataHint}
        empty={null}
        rows={2}
        isCode
      />
      <TryIt />
      <TypeSections>
        <AssertionsSection />
        <LimitsSection />
      </TypeSections>
    </>
  );
}
