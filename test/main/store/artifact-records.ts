import { createHash } from 'node:crypto';
import type { RunArtifact } from '#shared/artifacts/artifact.ts';

/** A screenshot with a content of its own, but for what a test sets. */
export function makeArtifact(given: Partial<RunArtifact> & { content?: string } = {}): RunArtifact {
  const { content = given.name ?? 'content', ...members } = given;
  return {
    type: 'screenshot',
    name: 'screenshot.png',
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: Buffer.byteLength(content),
    contentType: 'image/png',
    ...members,
  };
}
