import { useQuery } from '@tanstack/react-query';
import { muteText } from '#renderer/messages/mute.ts';
import { useOfNow } from '#renderer/parts/clock.ts';
import { minute } from '#renderer/parts/format.ts';
import { BothTimes } from '#renderer/parts/time.tsx';
import { Tooltip } from '#renderer/parts/tooltip.tsx';
import { type Mutable, muteQuery } from './mute-query.ts';

/** That something is muted, and until when; on hover the time in full, and in UTC. */
export function MutedNote({ of, told }: { of: Omit<Mutable, 'name'>; told: string }) {
  const { data: until = null } = useQuery(muteQuery(of));
  const time = useOfNow((now) => (until === null ? '' : minute(until, now)));
  if (until === null) return `${muteText.muted}${told}`;
  return (
    <span>
      <Tooltip content={<BothTimes at={until} />}>
        <time dateTime={new Date(until).toISOString()}>{muteText.mutedUntil(time)}</time>
      </Tooltip>
      {told}
    </span>
  );
}
