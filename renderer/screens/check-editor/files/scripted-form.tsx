import { checkScriptsText } from '#renderer/messages/editor.ts';
import { Button } from '#renderer/parts/button.tsx';
import { useMember } from '#renderer/parts/form/inputs.tsx';
import { ScriptInput } from '#renderer/parts/form/script-input.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from '../types/type-sections.tsx';
import styles from './check-files.module.css';
import { CheckFiles } from './check-files.tsx';
import { RunOptionsSection } from './run-options.tsx';
import { useTrialProblems } from './trial-problems.ts';

const words = checkScriptsText;
const MIN_HEIGHT = 320;

type TemplateName = keyof typeof words.templates;

/** The script of a browser or multi-step check with its files, and how it runs. */
export function ScriptedForm({
  kind,
  templates,
}: {
  kind: 'browser' | 'multistep';
  templates: Readonly<Partial<Record<TemplateName, string>>>;
}) {
  const { value: scriptPath } = useMember('scriptPath');
  const problems = useTrialProblems();
  return (
    <>
      <CheckFiles
        scriptName={typeof scriptPath === 'string' ? scriptPath : words.script}
        script={
          <>
            <Templates templates={templates} />
            <ScriptInput
              kind={kind}
              path="script"
              label={words.script}
              hint={words.scriptHint}
              problems={problems}
              minHeight={MIN_HEIGHT}
            />
          </>
        }
      />
      <TryIt />
      <TypeSections>
        <RunOptionsSection isBrowser={kind === 'browser'} />
      </TypeSections>
    </>
  );
}

/** What to begin with, while nothing is written. */
function Templates({ templates }: { templates: Readonly<Partial<Record<TemplateName, string>>> }) {
  const { value, set } = useMember('script');
  if (typeof value === 'string' && value.trim() !== '') return null;
  return (
    <div className={styles.begin}>
      {words.begin}
      {Object.entries(templates).map(([name, script]) => (
        <Button key={name} onClick={() => set(script)}>
          {words.templates[name as TemplateName]}
        </Button>
      ))}
    </div>
  );
}
