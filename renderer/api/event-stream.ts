import type { LiveEvent } from '#shared/summaries/live-event.ts';
import { accessToken } from './access.ts';
import { problemOf } from './problem.ts';

/** A message of `/app/events`; `refetch`: some were lost. */
export type LiveMessage =
  | { id: string; kind: 'deltas'; events: LiveEvent[] }
  | { id: string; kind: 'refetch' };

/** Something comes every 15 seconds: after this the connection is dead, though nobody said so. */
const SILENCE_MS = 40_000;

/**
 * Reads messages until the stream ends or breaks.
 *
 * @param lastId of the last message that was taken
 * @throws ApiProblem, or what broke the connection
 */
export async function readEvents(
  lastId: string,
  signal: AbortSignal,
  take: (message: LiveMessage) => void,
): Promise<void> {
  const silence = new AbortController();
  const open = (token: string) =>
    fetch('/app/events', {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': lastId },
      signal: AbortSignal.any([signal, silence.signal]),
    });
  const token = await accessToken(signal);
  let response = await open(token);
  if (response.status === 401) response = await open(await accessToken(signal, token));
  if (!response.ok || response.body === null) throw await problemOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const parts = (text + value).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const message = parseMessage(part);
      if (message !== null) take(message);
    }
  }
}

function parseMessage(text: string): LiveMessage | null {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const [id, kind] = [fields.get('id'), fields.get('event')];
  if (id === undefined) return null;
  if (kind === 'refetch') return { id, kind };
  return { id, kind: 'deltas', events: JSON.parse(fields.get('data') ?? '[]') as LiveEvent[] };
}
