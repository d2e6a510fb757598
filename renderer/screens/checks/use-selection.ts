import { useMemo, useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  toggle(id: string): void;
  /** Selects all between the one that was toggled last and this one. */
  extend(id: string, order: readonly string[]): void;
  clear(): void;
}

/** Which checks are chosen for what is done to several. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  return useMemo(
    () => ({
      ids,
      toggle(id) {
        setLast(id);
        setIds((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        });
      },
      extend(id, order) {
        const [from, to] = [order.indexOf(last ?? id), order.indexOf(id)].toSorted(
          (one, other) => one - other,
        );
        setLast(id);
        setIds((before) => new Set([...before, ...order.slice(from, (to ?? 0) + 1)]));
      },
      clear() {
        setLast(null);
        setIds(new Set());
      },
    }),
    [ids, last],
  );
}
