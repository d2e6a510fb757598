import { z } from 'zod';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import type { RunArtifact } from './artifact.ts';

/** What clients may ask for; runs leave no captures of packets here. */
export const ASSET_TYPES = [
  'log',
  'trace',
  'video',
  'screenshot',
  'pcap',
  'report',
  'file',
] as const;

/** What a result left, as the API lists it. */
export const assetManifest = z.object({
  assets: z.array(
    z.object({
      type: z.enum(ASSET_TYPES),
      name: z.string(),
      /** Opens without a key, for some hours. */
      url: z.url(),
      contentType: z.string(),
      source: z.object({
        type: z.enum(['check-result', 'test-session-result']),
        checkId: z.guid(),
        checkName: z.string(),
        checkType: z.enum(CHECK_TYPES),
        resultId: z.guid(),
        testSessionId: z.guid().optional(),
      }),
    }),
  ),
  /** Whether there are more than are listed. */
  truncated: z.boolean(),
  entriesReturned: z.int().min(0),
  entriesTotal: z.int().min(0),
});
export type AssetManifest = z.output<typeof assetManifest>;

/** The result that artifacts are of. */
export interface AssetSource {
  check: { id: string; name: string; type: CheckType };
  resultId: string;
  testSessionId?: string | undefined;
}

/** Artifacts that are listed at once. */
const MAX_LISTED = 500;

/** @param artifacts all that are asked for */
export function viewManifest(
  artifacts: readonly RunArtifact[],
  { check, resultId, testSessionId }: AssetSource,
  urlOf: (name: string) => string,
): AssetManifest {
  const source = {
    type:
      testSessionId === undefined ? ('check-result' as const) : ('test-session-result' as const),
    checkId: check.id,
    checkName: check.name,
    checkType: check.type,
    resultId,
    ...(testSessionId !== undefined && { testSessionId }),
  };
  const listed = artifacts.slice(0, MAX_LISTED);
  return {
    assets: listed.map(({ type, name, contentType }) => ({
      type,
      name,
      url: urlOf(name),
      contentType,
      source,
    })),
    truncated: listed.length < artifacts.length,
    entriesReturned: listed.length,
    entriesTotal: artifacts.length,
  };
}
