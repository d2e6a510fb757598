import type { ResultAddress } from '#shared/artifacts/artifact.ts';
import {
  type ArtifactLinks,
  LINKED_DETAILS,
  linkArtifacts,
} from '#shared/artifacts/link-artifacts.ts';
import { type ArtifactSigning, artifactToken } from './artifact-token.ts';

/** Where artifacts of a result open without a key; the token comes before the name, so that links between them work. */
export function artifactUrls(
  of: ResultAddress,
  signing: ArtifactSigning,
): (name: string) => string | null {
  const token = artifactToken(of, signing);
  return (name) => token && `${signing.baseUrl}/artifacts/${token}/${pathOf(name)}`;
}

function pathOf(name: string): string {
  return name.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Where Playwright's own viewer, which we serve, opens a trace. */
export function traceViewerUrl(baseUrl: string, traceUrl: string): string {
  return `${baseUrl}/trace-viewer/index.html?trace=${encodeURIComponent(traceUrl)}`;
}

/**
 * Changes the details of a result so that they have URLs for the names of its artifacts.
 *
 * @param namesOf the artifacts that are still there
 */
export function linkDetails(
  result: Record<string, unknown>,
  of: ResultAddress,
  signing: ArtifactSigning,
  namesOf: () => Iterable<string>,
): void {
  let links: ArtifactLinks | undefined;
  for (const key of LINKED_DETAILS) {
    const detail = result[key];
    if (typeof detail !== 'object' || detail === null) continue;
    links ??= linksTo(of, signing, new Set(namesOf()));
    result[key] = linkArtifacts(detail as Record<string, unknown>, links);
  }
}

function linksTo(
  of: ResultAddress,
  signing: ArtifactSigning,
  names: ReadonlySet<string>,
): ArtifactLinks {
  const urls = artifactUrls(of, signing);
  const urlOf = (name: string) => (names.has(name) ? urls(name) : null);
  return {
    urlOf,
    viewerUrlOf: (name) => {
      const url = urlOf(name);
      return url && traceViewerUrl(signing.baseUrl, url);
    },
  };
}
