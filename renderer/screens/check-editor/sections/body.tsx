import { editorText } from '#renderer/messages/editor.ts';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { ChoiceInput, TextAreaInput } from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { bytes } from '#renderer/parts/format.ts';
import { useSetting } from '../editor-context.ts';

const words = editorText.body;
const TYPES = ['NONE', 'JSON', 'FORM', 'GRAPHQL', 'RAW'] as const;

/** What is sent with a request. */
export function BodySection() {
  const type = useSetting<(typeof TYPES)[number]>('request.bodyType');
  const body = useSetting<string>('request.body') ?? '';
  const { get } = useFormAround();
  const isBare = get('request.method') === 'GET' || get('request.method') === 'HEAD';
  return (
    <Section
      title={words.title}
      summary={
        type === 'NONE'
          ? words.none
          : words.summary(words.types[type], bytes(new TextEncoder().encode(body).length))
      }
      paths={['request.body', 'request.bodyType']}
    >
      <ChoiceInput
        path="request.bodyType"
        label={words.type}
        options={TYPES.map((one) => [one, words.types[one]])}
        fallback="NONE"
        hint={isBare && type !== 'NONE' ? words.bare : undefined}
      />
      {type !== 'NONE' && (
        <TextAreaInput
          path="request.body"
          label={words.label}
          hint={type === 'FORM' ? words.formHint : words.hint}
          rows={8}
          isCode
        />
      )}
    </Section>
  );
}
