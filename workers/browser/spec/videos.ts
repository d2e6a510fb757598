import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SpecJob } from './job.ts';
import { ffmpegPlace, instrumentation } from './playwright.ts';
import { report } from './report.ts';

const NO_FFMPEG =
  'There is no video: this machine has no ffmpeg, which makes them (`npx playwright install ffmpeg`, or the package ffmpeg of the system)';

/**
 * Has videos made with the ffmpeg of this machine. Without one tests go on, and the log says why there is no
 * video.
 */
export function prepareVideos(job: Readonly<SpecJob>): void {
  /** Those of the run under way. */
  let prepared: SpecJob['browser'] = null;
  const prepare = (ffmpeg: string | null) => {
    if (prepared === job.browser) return;
    prepared = job.browser;
    if (ffmpeg === null) report({ type: 'log', at: Date.now(), level: 'WARN', text: NO_FFMPEG });
    else linkFfmpeg(ffmpeg);
  };
  instrumentation.addListener({
    async runBeforeCreateBrowserContext(options) {
      if (options.recordVideo === undefined) return;
      const ffmpeg = job.browser?.ffmpeg ?? null;
      prepare(ffmpeg);
      if (ffmpeg === null) delete options.recordVideo;
    },
  });
}

function linkFfmpeg(ffmpeg: string): void {
  const place = ffmpegPlace();
  if (place === undefined) return;
  mkdirSync(dirname(place), { recursive: true });
  // An earlier process of the same run may have made it.
  rmSync(place, { force: true });
  symlinkSync(ffmpeg, place);
}
