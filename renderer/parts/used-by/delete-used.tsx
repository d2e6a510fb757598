import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { usedText } from '#renderer/messages/variables.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Dialog, DialogActions } from '#renderer/parts/dialog.tsx';
import { toastFailure } from '#renderer/parts/toast.tsx';
import type { UsersView } from '#shared/variables/uses.ts';
import { Users } from './used-by.tsx';
import { type Used, usersQuery } from './users-query.ts';

/**
 * Deletes a variable or a snippet that nothing uses; of another one it says first what does, and asks.
 *
 * @returns what begins it, and the dialog, which belongs on the screen
 */
export function useDeleteUsed(remove: (used: Used) => void) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ used: Used; by: UsersView } | null>(null);
  const begin = async (used: Used) => {
    try {
      const by = await queries.fetchQuery(usersQuery(used));
      if (by.total === 0) remove(used);
      else setAsked({ used, by });
    } catch (error) {
      toastFailure(error);
    }
  };
  const close = () => setAsked(null);
  const isKept = asked?.by.users.some(({ keeps }) => keeps);
  const dialog = asked !== null && (
    <Dialog
      isOpen
      onClose={close}
      title={usedText.question(asked.used.name)}
      text={isKept ? usedText.kept : usedText.will}
    >
      <Users {...asked.by} />
      <DialogActions>
        <Button onClick={close}>{isKept ? text.parts.close : text.parts.cancel}</Button>
        {!isKept && (
          <Button
            kind="danger"
            onClick={() => {
              close();
              remove(asked.used);
            }}
          >
            {usedText.remove}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
  return { begin: (used: Used) => void begin(used), dialog };
}
