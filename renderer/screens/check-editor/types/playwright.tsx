import { checkScriptsText } from '#renderer/messages/editor.ts';
import { ChoiceInput, TextInput } from '#renderer/parts/form/inputs.tsx';
import { Section } from '#renderer/parts/form/section.tsx';
import { useSetting } from '../editor-context.ts';
import { ProjectSource } from '../files/project-source.tsx';
import { TryIt } from '../try-it/try-it.tsx';
import { TypeSections } from './type-sections.tsx';

const words = checkScriptsText.project;

/** Where the project of a check is, its command, and how its packages are installed. */
export function PlaywrightForm() {
  return (
    <>
      <ProjectSource />
      <TextInput
        path="testCommand"
        label={words.command}
        hint={words.commandHint}
        placeholder="npx playwright test"
        isCode
      />
      <TryIt />
      <TypeSections>
        <PackagesSection />
      </TypeSections>
    </>
  );
}

function PackagesSection() {
  const install = useSetting<string | null>('installCommand') ?? '';
  const folder = useSetting<string | null>('workingDir') ?? '';
  const { packages } = words;
  return (
    <Section
      title={packages.title}
      summary={packages.summary(install, folder)}
      paths={['installCommand', 'workingDir', 'engine']}
    >
      <TextInput
        path="installCommand"
        label={packages.install}
        hint={packages.installHint}
        placeholder="npm ci"
        isCode
      />
      <TextInput
        path="workingDir"
        label={packages.folder}
        hint={packages.folderHint}
        empty={null}
        isCode
      />
      <ChoiceInput<string | null>
        path="engine"
        label={packages.engine}
        options={[
          [null, packages.engines.node],
          ['bun', packages.engines.bun],
        ]}
        fallback={null}
      />
    </Section>
  );
}
