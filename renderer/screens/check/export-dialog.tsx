import { useState } from 'react';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { CodeView } from '#renderer/parts/code-view.tsx';
import { CopyButton } from '#renderer/parts/copy-button.tsx';
import { Dialog, DialogActions } from '#renderer/parts/dialog.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import { bodyOf, creatingCommand, requestCommand } from './exported-check.ts';

const words = text.check.exported;
const MAX_HEIGHT = 320;

interface ExportDialogProps {
  check: ShownCheck;
  isOpen: boolean;
  onClose(): void;
}

/** A check as JSON, and as commands. */
export function ExportDialog({ check, isOpen, onClose }: ExportDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.title} text={words.text} isWide>
      {isOpen && <Content check={check} onClose={onClose} />}
    </Dialog>
  );
}

type Exported = 'json' | 'create' | 'request';

function Content({ check, onClose }: Pick<ExportDialogProps, 'check' | 'onClose'>) {
  const [what, setWhat] = useState<Exported>('json');
  const request = requestCommand(check);
  const json = JSON.stringify({ checkType: check.checkType, ...bodyOf(check) }, null, 2);
  const texts = { json, create: creatingCommand(check, location.origin), request: request ?? '' };
  const options = (['json', 'create', 'request'] as const)
    .filter((one) => one !== 'request' || request !== undefined)
    .map((one): readonly [Exported, string] => [one, words[one]]);
  return (
    <>
      <SelectField<Exported> label={words.what} value={what} options={options} onChange={setWhat} />
      <CodeView
        key={what}
        value={texts[what]}
        language={what === 'json' ? 'json' : 'text'}
        label={words[what]}
        maxHeight={MAX_HEIGHT}
      />
      <DialogActions>
        <Button onClick={onClose}>{text.parts.close}</Button>
        {what === 'json' && (
          <Button onClick={() => download(`${check.name}.json`, json)}>{words.download}</Button>
        )}
        <CopyButton value={texts[what]} />
      </DialogActions>
    </>
  );
}

/** Hands a text to the browser as a file. */
function download(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\p{L}\p{N}. _-]/gu, '_');
  link.click();
  URL.revokeObjectURL(url);
}
