// Where the process begins. Plain JavaScript without imports of ours: what compiles and strips TypeScript is large, and
// is loaded only where something is not found compiled, so the folder of compiled code must be known before any of it.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Memory that a thread has given back stays in its arena: with two arenas for all threads there are 20 MB less of it. The
// C library reads this when a process begins, so the process begins anew, which takes 30 ms.
if (process.platform === 'linux' && process.argv[2] === 'serve' && !process.env.MALLOC_ARENA_MAX) {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: '2' });
}

const { directory } = enableCompileCache(
  fileURLToPath(new URL('../node_modules/.cache/watchpost', import.meta.url)),
);
// The threads find the folder here.
if (directory) process.env.NODE_COMPILE_CACHE = directory;
await import('./cli.ts');
