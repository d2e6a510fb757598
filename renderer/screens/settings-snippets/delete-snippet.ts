import { useQueryClient } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { snippetsText } from '#renderer/messages/variables.ts';
import { deleteSoon } from '#renderer/parts/going.ts';

/** Deletes a snippet once nobody took it back; the appliance refuses while a check or a group names it. */
export function useDeleteSnippet(): (snippet: { id: number; name: string }) => void {
  const queries = useQueryClient();
  return ({ id, name }) =>
    deleteSoon('snippets', id, snippetsText.removed(name), async () => {
      await api('DELETE /v1/snippets/{id}', { params: { id } });
      await queries.invalidateQueries({ queryKey: ['snippets'] });
    });
}
