import { accessStore } from '#renderer/api/access.ts';
import { useStore } from '#renderer/api/store.ts';
import { text } from '#renderer/messages/messages.ts';
import { Dialog } from '#renderer/parts/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for a new sign-in over the screen, whose requests wait for it: nothing typed is lost. */
export function SessionEnded() {
  const { kind } = useStore(accessStore);
  return (
    <Dialog
      isOpen={kind === 'ended'}
      onClose={() => {}}
      title={text.shell.sessionEndedTitle}
      text={text.shell.sessionEndedText}
    >
      <SignInForm />
    </Dialog>
  );
}
