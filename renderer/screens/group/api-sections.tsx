import { groupText } from '#renderer/messages/editor.ts';
import { AroundScripts } from '#renderer/parts/form/around-scripts.tsx';
import { Assertions, sentenceOf } from '#renderer/parts/form/assertions.tsx';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';
import { Pairs } from '#renderer/parts/form/pairs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import type { Assertion } from '#shared/checks/blocks.ts';
import { useList } from './use-list.ts';

const words = groupText;

/** What is added to the requests of API checks. */
export function RequestsSection() {
  const { requests } = words;
  const headers = useList('apiCheckDefaults.headers').length;
  const parameters = useList('apiCheckDefaults.queryParameters').length;
  const assertions = useList<Assertion>('apiCheckDefaults.assertions').map(sentenceOf);
  const url = useFormAround().get('apiCheckDefaults.url');
  const said = [
    typeof url === 'string' ? url : '',
    headers + parameters > 0 ? requests.summary(headers, parameters) : '',
    ...assertions,
  ];
  return (
    <Section
      title={requests.title}
      summary={said.filter(Boolean).join(', ') || requests.none}
      paths={['apiCheckDefaults']}
    >
      <TextInput
        path="apiCheckDefaults.url"
        label={requests.url}
        hint={requests.urlHint}
        placeholder="https://shop.example.com"
        isCode
      />
      <Pairs
        path="apiCheckDefaults.headers"
        label={requests.headers}
        addLabel={requests.addHeader}
        isLabelled
      />
      <Pairs
        path="apiCheckDefaults.queryParameters"
        label={requests.parameters}
        addLabel={requests.addParameter}
        isLabelled
      />
      <TextInput path="apiCheckDefaults.basicAuth.username" label={requests.user} />
      <TextInput
        path="apiCheckDefaults.basicAuth.password"
        label={requests.password}
        type="password"
      />
      <Assertions
        path="apiCheckDefaults.assertions"
        type="API"
        label={requests.assertions}
        isLabelled
      />
    </Section>
  );
}

const SCRIPTS = ['setupSnippetId', 'localSetupScript', 'tearDownSnippetId', 'localTearDownScript'];

/** What runs around the requests of API checks. */
export function ScriptsSection() {
  const form = useFormAround();
  const { scripts } = words;
  const hasSome = SCRIPTS.some((path) => Boolean(form.get(path)));
  return (
    <Section title={scripts.title} summary={hasSome ? scripts.some : scripts.none} paths={SCRIPTS}>
      <AroundScripts />
    </Section>
  );
}
