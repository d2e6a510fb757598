import { createContext, useContext } from 'react';
import { useFormAround } from '#renderer/parts/form/form.ts';
import { memberAt } from '#renderer/parts/form/members.ts';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import type { CheckType } from '#shared/checks/enums.ts';

/** Which check a form is of. */
interface EditedCheck {
  type: CheckType;
  /** Undefined of one that does not exist yet. */
  checkId: string | undefined;
}

const EditorContext = createContext<EditedCheck | null>(null);
export const EditorProvider = EditorContext.Provider;

export function useEdited(): EditedCheck {
  const edited = useContext(EditorContext);
  if (edited === null) throw new Error('There is no editor of a check around this.');
  return edited;
}

/** What a member is set to: as it was typed, else what the API gives a check of this type. */
export function useSetting<T>(path: string): T {
  const { type } = useEdited();
  const value = useFormAround().get(path);
  return (value === undefined ? memberAt(CHECK_KINDS[type].defaults, path) : value) as T;
}
