import { editorText } from '#renderer/messages/editor.ts';
import { ChoiceInput, NumberInput, TextInput } from '#renderer/parts/form/inputs.tsx';
import { IP_FAMILIES } from '#shared/checks/blocks.ts';
import styles from '../check-editor.module.css';
import { AssertionsSection } from '../sections/assertions.tsx';
import { LimitsSection } from '../sections/limits.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from './type-sections.tsx';

const words = editorText;

/** Does a host answer, how fast, and how many echoes get lost? */
export function IcmpForm() {
  return (
    <>
      <div className={styles.fields}>
        <TextInput path="request.hostname" label={words.host} placeholder="example.com" isCode />
        <NumberInput path="request.pingCount" label={words.pings} hint={words.pingsHint} />
        <ChoiceInput
          path="request.ipFamily"
          label={words.ipFamily}
          options={IP_FAMILIES.map((family) => [family, family])}
          fallback="IPv4"
        />
      </div>
      <TryIt />
      <TypeSections>
        <AssertionsSection />
        <LimitsSection />
      </TypeSections>
    </>
  );
}
