import { useMemo, useRef } from 'react';
import type { CodeProblem } from '#renderer/parts/code-editor.ts';
import { useMember } from '#renderer/parts/form/inputs.tsx';
import { scriptedDetail } from '#renderer/parts/run/scripted-detail.ts';
import { useTrial } from '../try-it/use-trial.ts';

/** What a script is called that has no path of its own. */
const OWN_NAMES: ReadonlySet<unknown> = new Set(['check.spec.ts', 'check.js']);
const NONE: readonly CodeProblem[] = [];

/** The errors of the last try at their lines of the script, until it is another one. */
export function useTrialProblems(): readonly CodeProblem[] {
  const { result } = useTrial();
  const { value: script } = useMember('script');
  const { value: path } = useMember('scriptPath');
  const tried = useRef<{ result: unknown; script: unknown }>({ result: undefined, script });
  if (tried.current.result !== result) tried.current = { result, script };
  const isSame = tried.current.script === script;
  return useMemo(() => {
    if (result === undefined || !isSame) return NONE;
    return scriptedDetail(result).errors.flatMap(({ message, location }) => {
      const isOwn =
        location !== undefined && (location.file === path || OWN_NAMES.has(location.file));
      const [first = ''] = message.split('\n', 1);
      return isOwn ? [{ line: location.line, column: location.column, message: first }] : [];
    });
  }, [result, isSame, path]);
}
