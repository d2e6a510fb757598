import { editorText } from '#renderer/messages/editor.ts';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';
import { Pairs } from '#renderer/parts/form/pairs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { useSetting } from '../editor-context.ts';
import { useGroup } from '../use-group.ts';

const words = editorText.request;

interface Pair {
  key: string;
}

/** The names of pairs, those of the group marked as such. */
function namesOf(own: readonly Pair[], given: readonly Pair[] = []): string {
  const inherited = given.map(({ key }) => key).filter(Boolean);
  const all = [
    ...own.map(({ key }) => key).filter(Boolean),
    ...inherited.map((name) => words.ofGroup(name)),
  ];
  return all.length === 0 ? words.none : all.join(', ');
}

export function ParametersSection() {
  const own = useSetting<Pair[]>('request.queryParameters') ?? [];
  const defaults = useGroup()?.apiCheckDefaults;
  return (
    <Section
      title={words.parameters}
      summary={namesOf(own, defaults?.queryParameters)}
      paths={['request.queryParameters']}
    >
      <Pairs
        path="request.queryParameters"
        label={words.parameters}
        addLabel={words.addParameter}
      />
    </Section>
  );
}

export function HeadersSection() {
  const own = useSetting<Pair[]>('request.headers') ?? [];
  const defaults = useGroup()?.apiCheckDefaults;
  return (
    <Section
      title={words.headers}
      summary={namesOf(own, defaults?.headers)}
      paths={['request.headers']}
    >
      <Pairs path="request.headers" label={words.headers} addLabel={words.addHeader} />
    </Section>
  );
}

/** HTTP Basic: a name and a password. */
export function SignInSection() {
  const form = useFormAround();
  const own = useSetting<{ username?: string } | null | undefined>('request.basicAuth');
  const given = useGroup()?.apiCheckDefaults.basicAuth?.username;
  const isOn = own !== null && own !== undefined;
  return (
    <Section
      title={words.signIn}
      summary={
        own?.username ? words.signInAs(own.username) : given ? words.ofGroup(given) : words.noSignIn
      }
      paths={['request.basicAuth']}
    >
      <SwitchField
        label={words.basicAuth}
        isOn={isOn}
        onChange={(next) =>
          form.set('request.basicAuth', next ? { username: '', password: '' } : null)
        }
      />
      {isOn && (
        <>
          <TextInput path="request.basicAuth.username" label={words.user} />
          <TextInput
            path="request.basicAuth.password"
            label={words.password}
            type="password"
            autoComplete="new-password"
          />
        </>
      )}
    </Section>
  );
}
