import type { ChromiumSearch, FoundChromium } from './protocol.ts';

/** Which Chromium is asked for. */
export interface ChromiumQuestion {
  search: ChromiumSearch;
  /** Whether people are to see it: a headless shell will not do. */
  needsWindow: boolean;
}

/** What a search for a Chromium found, and whether that starts. */
export interface ChromiumReport {
  found: FoundChromium | null;
  /** What was looked at in vain, a line each. */
  tried: readonly string[];
  /** Of the browser, where it starts. */
  version: string | null;
  /** Why it does not start. */
  refusal: string | null;
  /** The program that makes videos; null where there is none. */
  ffmpeg: string | null;
}
