import { formText } from '#renderer/messages/editor.ts';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { useMember } from './inputs.tsx';
import { RowField, Rows } from './rows.tsx';

const words = formText;

/** Names with values: headers, query parameters, the fields of a form. */
export function Pairs({
  path,
  label,
  addLabel,
  isLabelled = false,
}: {
  path: string;
  label: string;
  addLabel: string;
  /** Whether the label is seen, as the list is one of several in its section. */
  isLabelled?: boolean;
}) {
  return (
    <Rows
      {...{ path, label, addLabel, isLabelled }}
      removeLabel={(number) => words.removeRow(label, number)}
      blank={{ key: '', value: '', locked: false }}
    >
      {(_, index) => (
        <>
          <RowField path={`${path}.${index}.key`} label={words.name} isCode />
          <RowField path={`${path}.${index}.value`} label={words.value} isCode />
        </>
      )}
    </Rows>
  );
}

interface Variable {
  key: string;
  value: string | null;
  locked: boolean;
  secret: boolean;
}

/** Variables of a check or a group. The value of a secret is written, never read. */
export function Variables({ path }: { path: string }) {
  return (
    <Rows<Variable>
      path={path}
      label={words.variables}
      addLabel={words.addVariable}
      removeLabel={(number) => words.removeRow(words.variables, number)}
      blank={{ key: '', value: '', locked: false, secret: false }}
    >
      {({ secret, value }, index) => (
        <>
          <RowField path={`${path}.${index}.key`} label={words.name} isCode />
          <RowField
            path={`${path}.${index}.value`}
            label={words.value}
            isCode
            {...(secret && { type: 'password' as const })}
            placeholder={secret && value === null ? words.secretKept : undefined}
          />
          <SecretSwitch path={`${path}.${index}.secret`} />
        </>
      )}
    </Rows>
  );
}

function SecretSwitch({ path }: { path: string }) {
  const { value, set } = useMember(path);
  return <SwitchField label={words.secret} isOn={value === true} onChange={set} />;
}
