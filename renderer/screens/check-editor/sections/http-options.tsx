import { editorText } from '#renderer/messages/editor.ts';
import { ChoiceInput, SwitchInput } from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { IP_FAMILIES } from '#shared/checks/blocks.ts';
import { useSetting } from '../editor-context.ts';

const words = editorText.http;

/** How a request is made. */
export function HttpOptions() {
  const isFollowed = useSetting<boolean>('request.followRedirects');
  const skips = useSetting<boolean>('request.skipSSL');
  const family = useSetting<string>('request.ipFamily');
  return (
    <Section
      title={words.title}
      summary={words.summary(isFollowed, !skips, family)}
      paths={['request.followRedirects', 'request.skipSSL', 'request.ipFamily']}
    >
      <SwitchInput path="request.followRedirects" label={words.follow} />
      <SwitchInput path="request.skipSSL" label={words.verify} isInverted />
      <ChoiceInput
        path="request.ipFamily"
        label={words.family}
        options={IP_FAMILIES.map((one) => [one, one])}
        fallback="IPv4"
      />
    </Section>
  );
}
