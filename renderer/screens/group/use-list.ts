import { useFormAround } from '#renderer/parts/form/form.ts';

/** The list at a path of the form around; empty where nothing is there yet. */
export function useList<T>(path: string): readonly T[] {
  const value = useFormAround().get(path);
  return Array.isArray(value) ? (value as T[]) : [];
}
