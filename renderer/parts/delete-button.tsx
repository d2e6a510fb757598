import { Trash2 } from 'lucide-react';
import { Button } from './button.tsx';

/**
 * Begins to delete the thing of a row.
 *
 * @param label what it does, with the name of the thing
 */
export function DeleteButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button kind="quiet" isIcon aria-label={label} onClick={onClick}>
      <Trash2 size={16} strokeWidth={1.5} aria-hidden />
    </Button>
  );
}
