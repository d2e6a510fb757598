import { readFileSync, rmSync } from 'node:fs';
import { watchConsole } from './console.ts';
import type { SpecJob } from './job.ts';
import { runTests } from './run-tests.ts';

/**
 * The process that runs the script of a browser or multi-step check. Its one argument is the file of
 * the job; it reports on file descriptor 3.
 */
const [, , path = ''] = process.argv;
const job: SpecJob = JSON.parse(readFileSync(path, 'utf8'));
rmSync(path);
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, job.env);
watchConsole();
await runTests(job);
// Timers and sockets that the script forgot keep nobody waiting.
process.exit(0);
