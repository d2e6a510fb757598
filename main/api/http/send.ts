import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { Reply } from '../operation.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends what a handler answered, with the status of its operation. */
export async function send(response: Response, status: number, reply: Reply): Promise<void> {
  response.status(status).set(reply.headers ?? {});
  const { content } = reply;
  if (content === undefined) response.end();
  else if ('json' in content) response.json(content.json);
  else if ('text' in content) response.type(content.type).send(content.text);
  else if ('parts' in content) sendParts(response, content.parts);
  else await sendItems(response, content);
}

function sendParts(response: Response, parts: readonly Uint8Array[]): void {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  response.set({ 'content-type': JSON_TYPE, 'content-length': String(length) });
  for (const part of parts) response.write(part);
  response.end();
}

const SLICE = 200;

type Items = Extract<Reply['content'], { items: unknown }>;

/** A JSON array of any length, written so that no slice holds up the actors for long. */
async function sendItems(response: Response, { items, member }: Items): Promise<void> {
  response.set('content-type', JSON_TYPE);
  const [start, end] = member === undefined ? ['[', ']'] : [`{${JSON.stringify(member)}:[`, ']}'];
  let opener = start;
  for (const slice of slices(items)) {
    const json = JSON.stringify(slice);
    if (!response.write(opener + json.slice(1, -1))) await drained(response);
    if (response.destroyed) return;
    opener = ',';
    await nextTurn();
  }
  response.end(opener === start ? start + end : end);
}

function* slices(items: Iterable<unknown>): Generator<unknown[]> {
  let slice: unknown[] = [];
  for (const item of items) {
    if (slice.push(item) < SLICE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Waits until the client has taken what was written, or is gone. */
async function drained(response: Response): Promise<void> {
  if (response.destroyed) return;
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  stop.abort();
}
