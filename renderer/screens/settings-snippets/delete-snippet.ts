import { useQueryClient } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { snippetsText } from '#renderer/messages/variables.ts';
import { deleteSoon } from '#renderer/parts/going.ts';
import { useDeleteUsed } from '#renderer/parts/used-by/delete-used.tsx';

/**
 * Deletes a snippet once nobody took it back; one that is used only once somebody said so.
 *
 * @param onDelete called when it is about to be deleted
 * @returns what begins it, and the dialog, which belongs on the screen
 */
export function useDeleteSnippet(onDelete = () => {}) {
  const queries = useQueryClient();
  return useDeleteUsed(({ id, name }) => {
    deleteSoon('snippets', id, snippetsText.removed(name), async () => {
      await api('DELETE /v1/snippets/{id}', { params: { id } });
      await queries.invalidateQueries({ queryKey: ['snippets'] });
    });
    onDelete();
  });
}
