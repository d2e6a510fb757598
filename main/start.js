// Where the process begins. Plain JavaScript that imports no TypeScript: what compiles and strips that is large, and
// is loaded only where something is not found compiled, so the folder of compiled code must be known before any of it.
import { realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { APPLIANCE, currentBuild, holdBuild } from './platform/builds.js';

// Memory that a thread has given back stays in its arena: with two arenas for all threads there are 20 MB less of it. The
// C library reads this when a process begins, so the process begins anew, which takes 30 ms.
if (process.platform === 'linux' && process.argv[2] === 'serve' && !process.env.MALLOC_ARENA_MAX) {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: '2' });
}

const root = fileURLToPath(new URL('..', import.meta.url));
const built = currentBuild(root, APPLIANCE);
// Null where the sources were changed since it was built: then they are run as they are. So they are where node_modules
// is a link: what is in the bundle would look for the sources beside the folder that it leads to.
const bundle = built && realpathSync(built) === built ? built : null;
if (bundle && process.argv[2] === 'serve') holdBuild(bundle);
const compiled = bundle ? join(bundle, 'compiled') : join(root, 'node_modules/.cache/watchpost');
const { directory } = enableCompileCache(compiled);
// The threads find the folder here.
if (directory) process.env.NODE_COMPILE_CACHE = directory;
await import(bundle ? pathToFileURL(join(bundle, 'cli.mjs')).href : './cli.ts');
