import type { DetailKey } from '#shared/checks/enums.ts';

/** Details that name artifacts. */
export const LINKED_DETAILS = [
  'browserCheckResult',
  'multiStepCheckResult',
  'playwrightCheckResult',
] as const satisfies DetailKey[];

/** What stands for the name of an artifact; null where the artifact is not there any more. */
export type LinkOf = (name: string) => string | null;

export interface ArtifactLinks {
  urlOf: LinkOf;
  /** Where a trace can be looked at. */
  viewerUrlOf: LinkOf;
}

const LISTS = ['jobAssets', 'playwrightTestVideos', 'playwrightTestTraces'] as const;
const SINGLES = ['playwrightTestJsonReportFile', 'htmlReportFile', 'pcapDataUrl'] as const;

/** A detail with URLs in the place of the names of artifacts; one that is gone is left out. */
export function linkArtifacts(
  detail: Readonly<Record<string, unknown>>,
  { urlOf, viewerUrlOf }: ArtifactLinks,
): Record<string, unknown> {
  const linked: Record<string, unknown> = { ...detail };
  for (const member of LISTS) {
    if (Array.isArray(detail[member])) linked[member] = linkAll(detail[member], urlOf);
  }
  for (const member of SINGLES) {
    if (typeof detail[member] === 'string') linked[member] = urlOf(detail[member]);
  }
  if (Array.isArray(detail.playwrightTestTraces)) {
    linked.traceViewerUrls = linkAll(detail.playwrightTestTraces, viewerUrlOf);
  }
  if (Array.isArray(detail.playwrightTraceFiles)) {
    linked.playwrightTraceFiles = detail.playwrightTraceFiles.flatMap((file) => {
      const url = typeof file?.url === 'string' ? urlOf(file.url) : null;
      return url === null ? [] : [{ ...file, url }];
    });
  }
  return linked;
}

function linkAll(names: readonly unknown[], linkOf: LinkOf): string[] {
  return names.flatMap((name) => (typeof name === 'string' ? (linkOf(name) ?? []) : []));
}
