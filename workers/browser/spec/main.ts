import { readFileSync, rmSync } from 'node:fs';
import { forbidBrowsers, watchBrowsers } from './browsers.ts';
import { watchConsole } from './console.ts';
import type { SpecJob } from './job.ts';
import { watchRequests } from './requests.ts';
import { runTests } from './run-tests.ts';

/**
 * The process that runs the script of a browser or multi-step check. Its one argument is the file of
 * the job; it reports on file descriptor 3.
 */
const [, , path = ''] = process.argv;
const job: SpecJob = JSON.parse(readFileSync(path, 'utf8'));
rmSync(path);
Object.assign(process.env, job.env);
watchConsole();
watchRequests(job.folder);
if (job.browser) watchBrowsers(job, job.browser);
else forbidBrowsers();
await runTests(job);
// Timers and sockets that the script forgot keep nobody waiting.
process.exit(0);
