import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '#renderer/api/problem.ts';
import { uploadFile } from '#renderer/api/upload.ts';
import { checkScriptsText } from '#renderer/messages/editor.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Field } from '#renderer/parts/field.tsx';
import { useMember } from '#renderer/parts/form/inputs.tsx';
import { bytes } from '#renderer/parts/format.ts';
import styles from './archive-input.module.css';
import { archiveQuery } from './archive-query.ts';

const words = checkScriptsText.project;
const PATH = '/next/checkly-storage/upload-code-bundle';
const ACCEPTED = '.tgz,.tar.gz,.tar,.zip,application/gzip,application/zip,application/x-tar';

/** Uploads an archive, which the check then names; says of one that is named whether it is there. */
export function ArchiveInput() {
  const { value, error, set } = useMember('codeBundlePath');
  const key = typeof value === 'string' ? value : '';
  const input = useRef<HTMLInputElement>(null);
  const { upload, start, cancel, refusal } = useUpload((uploaded) => set(uploaded));
  return (
    <div data-path="codeBundlePath">
      <Field label={words.archive} hint={words.archiveHint} error={refusal ?? error}>
        {(control) => (
          <div className={styles.line}>
            <input
              ref={input}
              type="file"
              hidden
              accept={ACCEPTED}
              aria-label={words.archive}
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file !== undefined) void start(file);
                target.value = '';
              }}
            />
            {upload === undefined ? (
              <>
                <Button
                  {...control}
                  aria-label={key === '' ? words.choose : words.replace}
                  onClick={() => input.current?.click()}
                >
                  {key === '' ? words.choose : words.replace}
                </Button>
                {key !== '' && <Standing archive={key} />}
              </>
            ) : (
              <>
                <progress
                  className={styles.progress}
                  value={upload.part}
                  aria-label={words.uploading(upload.name)}
                />
                <span className={styles.said}>{words.uploading(upload.name)}</span>
                <Button onClick={cancel}>{text.parts.cancel}</Button>
              </>
            )}
          </div>
        )}
      </Field>
    </div>
  );
}

/** Whether the archive that is named is there. */
function Standing({ archive }: { archive: string }) {
  const { data, error } = useQuery(archiveQuery(archive));
  const isGone = error instanceof ApiProblem && error.status === 404;
  return (
    <span className={styles.said} role="status">
      {isGone ? words.gone : data && words.uploaded(bytes(data.contentLength))}
    </span>
  );
}

function useUpload(onKey: (key: string) => void) {
  const [upload, setUpload] = useState<{ name: string; part: number }>();
  const [refusal, setRefusal] = useState<string>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  return {
    upload,
    refusal,
    cancel: () => stop.current?.abort(),
    async start(file: File) {
      const { name } = file;
      const mine = new AbortController();
      stop.current = mine;
      setRefusal(undefined);
      setUpload({ name, part: 0 });
      try {
        const { key } = await uploadFile<{ key: string }>(PATH, file, {
          signal: mine.signal,
          onProgress: (part) => setUpload({ name, part }),
        });
        onKey(key);
      } catch (error) {
        if (!mine.signal.aborted)
          setRefusal(error instanceof Error ? error.message : String(error));
      } finally {
        if (stop.current === mine) setUpload(undefined);
      }
    },
  };
}
