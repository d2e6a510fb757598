/** Whether a path is one of a link to an artifact, which its token opens for everyone. */
export function isArtifactLink(path: string): boolean {
  return /^\/artifacts\/[^/]+\/./i.test(path);
}
