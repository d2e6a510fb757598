import { useQuery } from '@tanstack/react-query';
import { useSetting } from './editor-context.ts';
import { groupQuery } from './queries.ts';

/** The group that the check is in, or is to be; undefined where there is none, or until it is read. */
export function useGroup() {
  const groupId = useSetting<number | null>('groupId');
  const { data } = useQuery({ ...groupQuery(groupId ?? 0), enabled: groupId !== null });
  return groupId === null ? undefined : data;
}
