/** What a run left: a screenshot, a trace, a page of a report. */
export const ARTIFACT_TYPES = ['screenshot', 'trace', 'video', 'report', 'log', 'file'] as const;
export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

/** An artifact as a run result names it; its content is in the artifact store already. */
export interface RunArtifact {
  type: ArtifactType;
  /** Unique in its result: relative, of {@link MAX_ARTIFACT_NAME} characters at most; may hold `/`. */
  name: string;
  /** Of the content, as hexadecimal digits in lower case. */
  sha256: string;
  bytes: number;
  contentType: string;
}

/** The result that artifacts are of: one of a check, or of a test session. */
export type ResultAddress =
  | { checkId: string; resultId: string }
  | { sessionId: string; resultId: string };

export const MAX_ARTIFACT_NAME = 255;
/** What one run may leave: more files, or more bytes in all, are not kept. */
export const MAX_RUN_ARTIFACTS = 1_000;
export const MAX_RUN_ARTIFACT_BYTES = 256 * 1024 ** 2;

/** Where, in the store, contents are written before they have their place. */
export const INCOMING_FOLDER = 'incoming';

/** Where a content is in the artifact store. */
export function artifactPath(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256}`;
}
