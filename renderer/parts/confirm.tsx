import { type ReactNode, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { TextField } from './field.tsx';

interface ConfirmProps {
  isOpen: boolean;
  onClose(): void;
  onConfirm(): void;
  /** A question. */
  title: string;
  /** What will be gone. */
  text: ReactNode;
  /** The verb of the question, on the button. */
  action: string;
  /** A name that has to be typed first, before what cannot be undone. */
  typed?: string;
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, onClose, onConfirm, action, typed, ...said }: ConfirmProps) {
  const [name, setName] = useState('');
  const isTyped = typed === undefined || name === typed;
  const close = () => {
    setName('');
    onClose();
  };
  const submit = () => {
    if (!isTyped) return;
    close();
    onConfirm();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} {...said}>
      {typed !== undefined && (
        <TextField
          label={text.parts.typeToConfirm(typed)}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && submit()}
          autoComplete="off"
        />
      )}
      <DialogActions>
        <Button onClick={close}>{text.parts.cancel}</Button>
        <Button kind="danger" disabled={!isTyped} onClick={submit}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
