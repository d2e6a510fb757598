import { Tabs } from '@base-ui/react/tabs';
import { CircleAlert, Plus, Upload } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { checkScriptsText } from '#renderer/messages/editor.ts';
import { Button } from '#renderer/parts/button.tsx';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { TextInput, useMember } from '#renderer/parts/form/inputs.tsx';
import { ScriptInput } from '#renderer/parts/form/script-input.tsx';
import { toastFailure } from '#renderer/parts/toast.tsx';
import styles from './check-files.module.css';
import { ContentInput } from './content-input.tsx';

const words = checkScriptsText;
const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
const SCRIPT = 'script';

interface CheckFile {
  path: string;
  content: string;
}

/**
 * The files of a check, each in a tab: its script, where it has one, and what it depends on.
 *
 * @param script the field of the script, on the first tab
 * @param scriptName what that tab is called
 */
export function CheckFiles({ script, scriptName }: { script?: ReactNode; scriptName?: string }) {
  const form = useFormAround();
  const { value, set, error } = useMember('dependencies');
  const files = Array.isArray(value) ? (value as CheckFile[]) : [];
  const hasScript = script !== undefined;
  const [chosen, setChosen] = useState<string>(hasScript ? SCRIPT : '0');
  const open =
    chosen !== SCRIPT && files[Number(chosen)] === undefined ? firstOf(hasScript) : chosen;
  const isWrong = (tab: string) =>
    form.hasErrors(tab === SCRIPT ? ['script', 'scriptPath'] : [`dependencies.${tab}`]);
  const wrong = [...(hasScript ? [SCRIPT] : []), ...files.keys().map(String)].find(isWrong);
  // What is refused is shown, so that it can be mended.
  useEffect(() => {
    if (wrong !== undefined) setChosen(wrong);
  }, [wrong]);
  const replaceAll = (next: readonly CheckFile[]) => set(next.length === 0 ? null : next);
  const add = (added: readonly CheckFile[]) => {
    const paths = new Set(added.map(({ path }) => path));
    const next = [...files.filter(({ path }) => !paths.has(path)), ...added];
    replaceAll(next);
    setChosen(String(next.length - 1));
  };
  return (
    <Tabs.Root
      className={styles.files}
      value={open}
      onValueChange={(tab) => setChosen(String(tab))}
      data-path="dependencies"
    >
      <div className={styles.bar}>
        <Tabs.List className={styles.tabs} aria-label={words.files} activateOnFocus>
          {hasScript && (
            <Tab value={SCRIPT} isWrong={isWrong(SCRIPT)}>
              {scriptName}
            </Tab>
          )}
          {files.map(({ path }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a file go by its place
            <Tab key={index} value={String(index)} isWrong={isWrong(String(index))}>
              {path || words.path}
            </Tab>
          ))}
        </Tabs.List>
        <div className={styles.actions}>
          <Button
            kind="quiet"
            onClick={() => add([{ path: freePath(files), content: NEW_CONTENT }])}
          >
            <Plus {...ICON} />
            {words.addFile}
          </Button>
          <UploadFiles onFiles={add} />
        </div>
      </div>
      {hasScript && (
        <Tabs.Panel value={SCRIPT} className={styles.panel}>
          {script}
        </Tabs.Panel>
      )}
      {files.map(({ path }, index) => (
        <Tabs.Panel
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a file go by its place
          key={index}
          value={String(index)}
          className={styles.panel}
        >
          <div className={styles.head}>
            <TextInput path={`dependencies.${index}.path`} label={words.path} isCode />
            <Button onClick={() => replaceAll(files.toSpliced(index, 1))}>
              {words.removeFile}
            </Button>
          </div>
          {/\.[cm]?[jt]sx?$/.test(path) ? (
            <ScriptInput
              kind="browser"
              path={`dependencies.${index}.content`}
              label={words.content(path)}
              minHeight={240}
            />
          ) : (
            <ContentInput path={`dependencies.${index}.content`} file={path} />
          )}
        </Tabs.Panel>
      ))}
      {error !== undefined && <p className={styles.error}>{error}</p>}
    </Tabs.Root>
  );
}

const NEW_CONTENT = 'export {};\n';

const firstOf = (hasScript: boolean) => (hasScript ? SCRIPT : '0');

function freePath(files: readonly CheckFile[]): string {
  const taken = new Set(files.map(({ path }) => path));
  for (let number = 1; ; number++) {
    const path = number === 1 ? 'helper.ts' : `helper-${number}.ts`;
    if (!taken.has(path)) return path;
  }
}

function Tab({
  value,
  isWrong,
  children,
}: {
  value: string;
  isWrong: boolean;
  children: ReactNode;
}) {
  return (
    <Tabs.Tab value={value} className={styles.tab}>
      {isWrong && <CircleAlert {...ICON} aria-hidden={false} aria-label={words.wrong} />}
      {children}
    </Tabs.Tab>
  );
}

function UploadFiles({ onFiles }: { onFiles(files: CheckFile[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (chosen: readonly File[]) => {
    const files: CheckFile[] = [];
    for (const file of chosen) {
      const content = await file.text();
      // What is no UTF-8 has this character in place of what could not be read.
      if (/[\0\ufffd]/.test(content)) toastFailure(new Error(words.notText(file.name)));
      else files.push({ path: file.name, content });
    }
    if (files.length > 0) onFiles(files);
  };
  return (
    <>
      <Button kind="quiet" onClick={() => input.current?.click()}>
        <Upload {...ICON} />
        {words.uploadFiles}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.uploadFiles}
        onChange={({ target }) => {
          void read([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}
