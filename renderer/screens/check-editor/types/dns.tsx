import { editorText } from '#renderer/messages/editor.ts';
import { ChoiceInput, NumberInput, TextInput } from '#renderer/parts/form/inputs.tsx';
import { DNS_RECORD_TYPES } from '#shared/checks/dns.ts';
import styles from '../check-editor.module.css';
import { AssertionsSection } from '../sections/assertions.tsx';
import { LimitsSection } from '../sections/limits.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from './type-sections.tsx';

const words = editorText;

/** Does a name resolve, and to what? */
export function DnsForm() {
  return (
    <>
      <div className={styles.fields}>
        <TextInput path="request.query" label={words.query} placeholder="example.com" isCode />
        <ChoiceInput
          path="request.recordType"
          label={words.recordType}
          options={DNS_RECORD_TYPES.map((type) => [type, type])}
          fallback="A"
        />
        <ChoiceInput
          path="request.protocol"
          label={words.protocol}
          options={[
            ['UDP', 'UDP'],
            ['TCP', 'TCP'],
          ]}
          fallback="UDP"
        />
      </div>
      <div className={styles.fields}>
        <TextInput
          path="request.nameServer"
          label={words.nameServer}
          placeholder={words.ownNameServers}
          empty={null}
          isCode
        />
        <NumberInput path="request.port" label={words.port} placeholder="53" />
      </div>
      <TryIt />
      <TypeSections>
        <AssertionsSection />
        <LimitsSection />
      </TypeSections>
    </>
  );
}
