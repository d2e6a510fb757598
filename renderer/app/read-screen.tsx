import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { ApiProblem } from '#renderer/api/problem.ts';
import { Failed } from '#renderer/parts/failed.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { NotFound } from './not-found.tsx';

const NOT_THERE: readonly number[] = [400, 404];

/**
 * A screen of one thing that is read: what is shown of it, until it is there, and where it is not.
 *
 * @param height px of what is shown until it is there
 */
export function ReadScreen<T>({
  read: { data, error, refetch },
  height,
  children,
}: {
  read: UseQueryResult<T>;
  height: number;
  children(data: T): ReactNode;
}) {
  // Drawn in slices: a whole screen at once would hold up a phone.
  const shown = useDeferredValue(data);
  if (data !== undefined && shown !== undefined) return children(shown);
  if (error instanceof ApiProblem && NOT_THERE.includes(error.status)) return <NotFound />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return <SkeletonBlock height={height} />;
}
