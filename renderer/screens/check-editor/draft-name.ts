import type { CheckType } from '#shared/checks/enums.ts';

/** The names of drafts: one for each type of a new check, and for each check that is edited. */
export const newDraftName = (type: CheckType): string => `new check ${type}`;
export const editDraftName = (checkId: string): string => `check ${checkId}`;
