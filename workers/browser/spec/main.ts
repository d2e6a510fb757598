import { readFileSync, readSync, rmSync } from 'node:fs';
import { forbidBrowsers, watchBrowsers } from './browsers.ts';
import { watchConsole } from './console.ts';
import type { SpecJob } from './job.ts';
import { keptCode } from './playwright.ts';
import { ProcessState } from './process-state.ts';
import { beginReports, reportStays } from './report.ts';
import { watchRequests } from './requests.ts';
import { runTests } from './run-tests.ts';

/**
 * The process that runs the script of a browser or multi-step check. Its one argument is the file of
 * the job; it reports on file descriptor 3. Where it stays, the files of further jobs come as lines on
 * file descriptor 4.
 */
const [, , path = ''] = process.argv;
/** Where further lines come from, each of at most so many bytes. */
const JOBS = 4;
const MAX_PATH_BYTES = 4_096;
/** What is watched goes by the job under way. */
const job = readJob(path);
watchConsole();
watchRequests(job);
if (job.browser) watchBrowsers(job);
else forbidBrowsers();
const before = job.stays ? new ProcessState() : null;
for (;;) {
  await runJob();
  if (job.leavesCode) keptCode?.leave();
  // Timers and sockets that the script forgot keep nobody waiting.
  if (!(await before?.restore())) process.exit(0);
  reportStays();
  Object.assign(job, readJob(nextPath()));
}

function readJob(file: string): SpecJob {
  const read: SpecJob = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return read;
}

async function runJob(): Promise<void> {
  const { folder, env } = job;
  beginReports();
  process.chdir(folder);
  Object.assign(process.env, env);
  await runTests(job);
}

/** Nothing else goes on in this thread meanwhile. The process ends with whoever would tell it. */
function nextPath(): string {
  const line = Buffer.alloc(MAX_PATH_BYTES);
  const length = readSync(JOBS, line);
  if (length === 0) process.exit(0);
  return line.toString('utf8', 0, length).trimEnd();
}
