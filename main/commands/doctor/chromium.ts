import { Worker } from 'node:worker_threads';
import type { ChromiumQuestion, ChromiumReport } from '#shared/runs/chromium-report.ts';
import { type Finding, sayOf } from './finding.ts';

const PROGRAM = new URL('../../../workers/browser/chromium/report-thread.ts', import.meta.url);

/** Searches as the runs do, and starts what it finds; in a thread, as it loads Playwright. */
export function chromiumReport(question: ChromiumQuestion): Promise<ChromiumReport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(PROGRAM, { workerData: question });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The search for a Chromium ended.')));
  });
}

const INSTALL =
  'Install one (npx playwright install --with-deps chromium-headless-shell, or a package of the system), or name it in WATCHPOST_CHROMIUM.';

/** What is said of the browser of browser checks. */
export function judgeChromium(report: ChromiumReport, setting: string | null): Finding {
  const say = sayOf('Chromium');
  const { found, tried, version, refusal } = report;
  if (found === null) {
    if (setting !== null) {
      return say.problem(`${tried.join('; ')}, as WATCHPOST_CHROMIUM says.`, 'Mend the setting.');
    }
    return say.warning(
      `None was found, so browser checks end in errors: ${tried.join('; ')}.`,
      INSTALL,
    );
  }
  const { path, source } = found;
  if (refusal !== null) {
    const advice =
      'Install what it needs (npx playwright install-deps chromium), or name another in WATCHPOST_CHROMIUM.';
    return say.problem(`${path}, ${source}, does not start: ${refusal}`, advice);
  }
  return say.ok(`${version}, ${source} (${path}).`);
}
