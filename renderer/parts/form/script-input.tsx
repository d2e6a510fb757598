import type { ReactNode } from 'react';
import { ScriptEditor, type ScriptEditorProps } from '#renderer/parts/script-editor.tsx';
import { useFormAround } from './form.ts';
import { useMember } from './inputs.tsx';

interface ScriptInputProps
  extends Pick<ScriptEditorProps, 'kind' | 'problems' | 'minHeight' | 'maxHeight'> {
  /** Of the member, dotted. */
  path: string;
  label: string;
  hint?: ReactNode;
  /** What an empty script means. */
  empty?: null | '';
}

/** A script of the form around it; the variables and the runtime of the form are offered in it. */
export function ScriptInput({ path, empty = '', ...editor }: ScriptInputProps) {
  const form = useFormAround();
  const { value, error, set } = useMember(path);
  const variables = form.get('environmentVariables');
  const runtimeId = form.get('runtimeId');
  return (
    <div data-path={path}>
      <ScriptEditor
        {...editor}
        error={error}
        value={typeof value === 'string' ? value : ''}
        onChange={(script) => set(script === '' ? empty : script)}
        variables={Array.isArray(variables) ? variables.map(({ key }) => String(key)) : []}
        runtimeId={typeof runtimeId === 'string' ? runtimeId : null}
      />
    </div>
  );
}
