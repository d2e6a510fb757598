import type { Settings } from '#main/platform/settings/table.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { findScriptLauncher } from './script-launcher.ts';

/** What keeps scripts and browsers from the rest of this machine. */
export interface Sandboxes {
  /** What script hosts are started with; empty where there is nothing. */
  scriptLauncher: readonly string[];
  /** The program that browsers are started in; null where there is none. */
  bubblewrap: string | null;
}

/** Looks for both at once, each by trying it. */
export async function findSandboxes({
  browserSandbox,
}: Pick<Settings, 'browserSandbox'>): Promise<Sandboxes> {
  const [scriptLauncher, bubblewrap] = await Promise.all([
    findScriptLauncher(),
    findBubblewrap(browserSandbox),
  ]);
  return { scriptLauncher, bubblewrap };
}
