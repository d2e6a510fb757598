import { useOfNow } from './clock.ts';
import { bothTimes, moment, relative } from './format.ts';
import { Tooltip } from './tooltip.tsx';

/** A moment in local time; on hover in full, and in UTC. */
export function Time({ at }: { at: number | string }) {
  const ms = typeof at === 'string' ? Date.parse(at) : at;
  const shown = useOfNow((now) => moment(ms, now));
  return <TimeElement ms={ms} shown={shown} />;
}

/** How long ago it was: `12 s ago`; on hover the moment, and in UTC. */
export function Ago({ at }: { at: number | string }) {
  const ms = typeof at === 'string' ? Date.parse(at) : at;
  const shown = useOfNow((now) => relative(ms, now));
  return <TimeElement ms={ms} shown={shown} />;
}

function TimeElement({ ms, shown }: { ms: number; shown: string }) {
  return (
    <Tooltip content={<BothTimes at={ms} />}>
      <time dateTime={new Date(ms).toISOString()}>{shown}</time>
    </Tooltip>
  );
}

/** An element, so that it is written only where somebody points at the time. */
export function BothTimes({ at }: { at: number }) {
  return bothTimes(at);
}
