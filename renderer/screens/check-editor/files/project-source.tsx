import { useState } from 'react';
import { checkScriptsText } from '#renderer/messages/editor.ts';
import { Button } from '#renderer/parts/button.tsx';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { TextInput } from '#renderer/parts/form/inputs.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import { projectSource } from '#shared/checks/project-source.ts';
import { ArchiveInput } from './archive-input.tsx';
import styles from './check-files.module.css';
import { CheckFiles } from './check-files.tsx';
import { PROJECT_TEMPLATE } from './templates.ts';

const words = checkScriptsText.project;
const SOURCES = ['files', 'archive', 'folder'] as const;
type Source = (typeof SOURCES)[number];

/** Where the project is: files of the check, an uploaded archive, or a folder. */
export function ProjectSource() {
  const form = useFormAround();
  const path = form.get('codeBundlePath');
  const files = form.get('dependencies');
  const [chosen, setChosen] = useState<Source>(() => sourceOf(path));
  const choose = (next: Source) => {
    setChosen(next);
    // What the other source said would count too.
    if (next !== sourceOf(path)) form.set('codeBundlePath', undefined);
  };
  return (
    <>
      <SelectField<Source>
        label={words.source}
        value={chosen}
        options={SOURCES.map((source) => [source, words.sources[source]])}
        onChange={choose}
      />
      {chosen === 'archive' && <ArchiveInput />}
      {chosen === 'folder' && (
        <TextInput
          path="codeBundlePath"
          label={words.folder}
          hint={words.folderHint}
          placeholder="/srv/shop"
          isCode
        />
      )}
      {chosen === 'files' && (!Array.isArray(files) || files.length === 0) && (
        <div className={styles.begin}>
          <Button onClick={() => form.set('dependencies', PROJECT_TEMPLATE)}>{words.begin}</Button>
        </div>
      )}
      {(chosen === 'files' || (Array.isArray(files) && files.length > 0)) && <CheckFiles />}
    </>
  );
}

function sourceOf(path: unknown): Source {
  if (typeof path !== 'string' || path === '') return 'files';
  return projectSource(path).kind === 'archive' ? 'archive' : 'folder';
}
